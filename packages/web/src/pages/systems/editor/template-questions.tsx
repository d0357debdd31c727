import { Button, Group, List, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { PROTOCOL_LABELS, type Protocol } from '@plantroom/contract/protocols'
import { fillTemplate, questionsOf, type Template, type TemplateQuestion } from '@plantroom/contract/templates'
import { type FormEvent, useState } from 'react'
import { editor } from '../../../texts/editor.ts'

const texts = editor.template

/** Asks the questions of a template, and fills it in. Its own words are those of the template. */
export function TemplateQuestions({
  template,
  onFilled,
}: {
  template: Template
  onFilled: (file: CommissioningFile) => void
}) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({
    protocol: template.protocols[0]?.protocol ?? '',
  })
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const questions = questionsOf(template, answers.protocol)
  const others = [...problems].filter(([path]) => questions.every(({ key }) => key !== path))

  function fill(event: FormEvent): void {
    event.preventDefault()
    const { file, problems: found = [] } = fillTemplate(template, answers)
    setProblems(new Map(found.map(({ path, message }) => [path, message])))
    if (file) onFilled(file)
  }

  return (
    <Paper withBorder p="md" mb="lg" component="form" onSubmit={fill} noValidate aria-label={template.title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {template.title}
        </Title>
        <Text size="sm">{template.about}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {questions.map((question) => (
            <Answer
              key={question.key}
              question={question}
              answer={answers[question.key] ?? ''}
              problem={problems.get(question.key)}
              onChange={(answer) => setAnswers({ ...answers, [question.key]: answer })}
            />
          ))}
        </SimpleGrid>
        <List size="sm">
          {template.notes?.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
          <List.Item>{texts.tried[template.tried]}</List.Item>
        </List>
        {others.map(([path, message]) => (
          <Text key={path} size="sm" c="red" role="alert">
            {path}: {message}
          </Text>
        ))}
        <Group>
          <Button type="submit">{texts.fill}</Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function Answer({
  question: { key, question, type, choices, default: usual, example },
  answer,
  problem,
  onChange,
}: {
  question: TemplateQuestion
  answer: string
  problem: string | undefined
  onChange: (answer: string) => void
}) {
  if (type === 'choice') {
    const labelOf = (choice: string) => (key === 'protocol' ? PROTOCOL_LABELS[choice as Protocol] : choice)
    return (
      <Select
        label={question}
        data={choices?.map((choice) => ({ value: String(choice), label: labelOf(String(choice)) })) ?? []}
        value={answer || String(usual ?? '')}
        allowDeselect={false}
        error={problem}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
    )
  }
  return (
    <TextInput
      label={question}
      // What is left empty gets the usual answer.
      placeholder={String(usual ?? example ?? '')}
      type={type === 'secret' ? 'password' : 'text'}
      autoComplete="off"
      value={answer}
      error={problem}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

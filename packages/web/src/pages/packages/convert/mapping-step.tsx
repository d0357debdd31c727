import { Alert, Button, Card, Checkbox, Group, List, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { Mapping } from '@plantroom/contract/conversion'
import { type AnalysisOutput, type ConversionJob, MAX_MAPPING_NAME } from '@plantroom/contract/conversion-jobs'
import { useState } from 'react'
import { useChange } from '../../../api/use-operation.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import { flawOf } from '../chosen-file.ts'
import classes from '../packages.module.css'
import { mappingNameOf, packageNameOf } from './chosen-export.ts'
import { Notes } from './job-parts.tsx'
import { doubtsOf, drafts, fromYaml, type MappingProps, needsOrder, toYaml } from './mapping-draft.ts'
import { MappingForm } from './mapping-form.tsx'
import { Trial } from './trial.tsx'
import { inputOf, useShownConversion } from './use-conversion.ts'

const texts = convert.mapping

/** Edits the mapping of an analysed export, tries it, and starts the conversion. */
export function MappingStep({ job, analysis }: { job: ConversionJob; analysis: AnalysisOutput }) {
  const [mapping, setMapping] = useState<Mapping>(() => drafts.read(job.id) ?? analysis.mapping)
  const [isText, setIsText] = useState(false)
  const [allowMissing, setAllowMissing] = useState(false)
  function change(next: Mapping): void {
    setMapping(next)
    drafts.write(job.id, next)
  }
  const props = { analysis, mapping, onChange: change }
  return (
    <Stack gap="xl">
      <Stack component="section">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h3">
              {texts.title}
            </Title>
            <Text className={classes.long}>{format(texts.found, { count: analysis.records, file: job.filename })}</Text>
            <Text size="sm">
              {analysis.keptAs === null ? texts.proposed : format(texts.kept, { name: analysis.keptAs })}
            </Text>
          </div>
          <Button variant="default" onClick={() => setIsText(!isText)}>
            {isText ? texts.form : texts.yaml}
          </Button>
        </Group>
        <Notes notes={analysis.notes} />
        {isText ? <MappingText {...props} /> : <MappingForm {...props} />}
      </Stack>
      <Doubts doubts={doubtsOf(analysis, mapping)} />
      <Checkbox
        label={texts.allowMissing}
        description={texts.allowMissingHint}
        checked={allowMissing}
        onChange={({ currentTarget }) => setAllowMissing(currentTarget.checked)}
      />
      {!needsOrder(analysis, mapping) && (
        <>
          <Trial analysis={job} mapping={mapping} allowMissing={allowMissing} />
          <Write analysis={job} mapping={mapping} keptAs={analysis.keptAs} allowMissing={allowMissing} />
        </>
      )}
    </Stack>
  )
}

/** The mapping as YAML. A text that is not valid is kept here and changes nothing. */
function MappingText({ analysis, mapping, onChange }: MappingProps) {
  const names = analysis.columns.map(({ name }) => name)
  const [text, setText] = useState(() => toYaml(mapping, names))
  const read = fromYaml(text)
  return (
    <Textarea
      className={classes.yaml}
      label={texts.yamlLabel}
      description={texts.yamlHint}
      value={text}
      error={'problem' in read ? read.problem : undefined}
      autosize
      minRows={12}
      maxRows={40}
      spellCheck={false}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        const changed = fromYaml(value)
        if ('mapping' in changed) onChange(changed.mapping)
      }}
    />
  )
}

function Doubts({ doubts }: { doubts: readonly string[] }) {
  if (doubts.length === 0) return null
  return (
    <Alert color="orange" variant="light">
      <List size="sm">
        {doubts.map((doubt) => (
          <List.Item key={doubt}>{doubt}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** The name of the package, the name of the mapping, and the button. */
function Write({
  analysis,
  mapping,
  keptAs,
  allowMissing,
}: {
  analysis: ConversionJob
  mapping: Mapping
  keptAs: string | null
  allowMissing: boolean
}) {
  const { showConversion } = useShownConversion()
  const [name, setName] = useState(() => packageNameOf(analysis.filename))
  const [keep, setKeep] = useState(() => keptAs ?? mappingNameOf(analysis.filename))
  const flaw = flawOf(name)
  const start = useChange('startConversion', { onSuccess: ({ jobId }) => showConversion(jobId) })
  function begin(): void {
    const keepAs = keep.trim()
    const body = { ...inputOf(analysis), mapping, analysisId: analysis.id, allowMissing, filename: name }
    start.mutate({ body: { ...body, ...(keepAs !== '' && { keepAs }) } })
  }
  return (
    <Card withBorder component="section" maw={640}>
      <Stack>
        <Title order={2} size="h3">
          {convert.write.title}
        </Title>
        <TextInput
          label={convert.write.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={flaw && packages.name.flaw[flaw]}
        />
        <TextInput
          label={convert.write.keepAs}
          description={convert.write.keepAsHint}
          value={keep}
          maxLength={MAX_MAPPING_NAME}
          onChange={({ currentTarget }) => setKeep(currentTarget.value)}
        />
        <Group>
          <Button onClick={begin} loading={start.isPending} disabled={flaw !== undefined} size="md">
            {convert.write.start}
          </Button>
        </Group>
        <Text size="sm">{convert.write.removes}</Text>
        {start.error && <ErrorNotice error={start.error} />}
      </Stack>
    </Card>
  )
}

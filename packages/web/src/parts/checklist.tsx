import { Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import type { GettingStartedSteps } from '@plantroom/contract/api'
import { format } from '../texts/format.ts'
import { gettingStarted as texts } from '../texts/getting-started.ts'
import { FIRST_STEPS, type ListedSteps, pathOfStep } from './first-steps.ts'
import { Link } from './link.tsx'
import { SmallButton } from './small-button.tsx'
import { showUndo } from './undo.tsx'

/** The first steps of a new organization. Each ticks itself; the next one is a link to where it is done. */
export function Checklist({ list }: { list: ListedSteps & { setDismissed(isDismissed: boolean): Promise<unknown> } }) {
  const { steps, setDismissed } = list
  const done = FIRST_STEPS.filter((step) => steps[step]).length

  async function dismiss(): Promise<void> {
    await setDismissed(true)
    showUndo(texts.dismissed, () => setDismissed(false))
  }
  return (
    <Paper withBorder p="md" mb="xl" component="section" aria-labelledby="getting-started" data-print="never">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div>
          <Title order={2} size="h3" id="getting-started">
            {texts.title}
          </Title>
          <Text c="dimmed" size="sm">
            {format(texts.progress, { done, count: FIRST_STEPS.length })}
          </Text>
        </div>
        <SmallButton onClick={() => void dismiss()}>{texts.dismiss}</SmallButton>
      </Group>
      <List spacing="sm" listStyleType="none" withPadding={false} center={false}>
        {FIRST_STEPS.map((step, index) => (
          <List.Item key={step} icon={<Mark number={index + 1} isDone={steps[step]} />}>
            <Step step={step} list={list} />
          </List.Item>
        ))}
      </List>
    </Paper>
  )
}

function Mark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <ThemeIcon size={26} radius="xl" variant={isDone ? 'filled' : 'default'} color="green" aria-hidden>
      <Text size="sm" fw={600} span>
        {isDone ? '✓' : number}
      </Text>
    </ThemeIcon>
  )
}

function Step({ step, list }: { step: keyof GettingStartedSteps; list: ListedSteps }) {
  const { action, why } = texts.steps[step]
  const to = pathOfStep(step, list)
  if (list.steps[step]) {
    return (
      <Text td="line-through" c="dimmed">
        {action}
        <VisuallyHidden> {texts.done}</VisuallyHidden>
      </Text>
    )
  }
  return (
    <>
      {to ? (
        <Link to={to} fw={600}>
          {action}
        </Link>
      ) : (
        <Text fw={600}>{action}</Text>
      )}
      <Text size="sm" c="dimmed">
        {why}
      </Text>
    </>
  )
}

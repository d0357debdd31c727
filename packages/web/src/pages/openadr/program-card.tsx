import { Alert, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import type { OpenadrProgram } from '@plantroom/contract/openadr'
import { useChange } from '../../api/use-operation.ts'
import { organizationPath, useOrganization } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { joinFacts } from '../../parts/value.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { openadr as texts } from '../../texts/openadr.ts'
import {
  countsOf,
  describeConnection,
  describePolling,
  describeProblems,
  describeSites,
  describeState,
  STATE_COLORS,
} from './describe-program.ts'
import classes from './openadr.module.css'

/** One program: how it is, what is wrong with it, its numbers, and what can be done with it. */
export function ProgramCard({
  program,
  now,
  onAction,
}: {
  program: OpenadrProgram
  now: number
  /** Not for people who may only look. */
  onAction: ((action: 'edit' | 'check' | 'pause' | 'remove') => void) | undefined
}) {
  const { orgId, organization, timeZone } = useOrganization()
  const problems = describeProblems(program)
  const polling = describePolling(program)
  return (
    <Paper withBorder p="md" component="article" aria-labelledby={program.id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h4" id={program.id}>
              {program.name}
            </Title>
            <Text size="sm" c="dimmed" className={classes.wrap}>
              {describeConnection(program)}
            </Text>
            {polling && (
              <Text size="sm" c="dimmed" className={classes.wrap}>
                {polling}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              {joinFacts([describeSites(program.siteIds, organization.sites)])}
            </Text>
          </div>
          <Badge variant="light" color={STATE_COLORS[program.state]} radius="sm">
            {texts.state[program.state]}
          </Badge>
        </Group>
        <Text
          fw={500}
          c={program.state === 'failing' ? 'var(--mantine-color-error)' : undefined}
          className={classes.wrap}
        >
          {describeState(program, { timeZone, now })}
        </Text>
        {problems.length > 0 && (
          <Alert color="yellow" variant="light" p="sm">
            <List size="sm" spacing={4} listStyleType={problems.length === 1 ? 'none' : 'disc'}>
              {problems.map((problem) => (
                <List.Item key={problem} className={classes.wrap}>
                  {problem}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <dl className={classes.counts} aria-label={format(texts.counts.label, { name: program.name })}>
          {countsOf(program).map(({ key, count, to, isBad }) => (
            <div key={key} className={classes.count} data-bad={isBad || undefined}>
              <dt>{texts.counts[key]}</dt>
              <dd className="figures">
                <Link to={organizationPath(orgId, `/openadr${to}`)} inherit>
                  {formatNumber(count)}
                </Link>
              </dd>
            </div>
          ))}
        </dl>
        {onAction && <Actions program={program} onAction={onAction} />}
      </Stack>
    </Paper>
  )
}

function Actions({
  program: { id, name, active },
  onAction,
}: {
  program: OpenadrProgram
  onAction: (action: 'edit' | 'check' | 'pause' | 'remove') => void
}) {
  const { orgId } = useOrganization()
  const change = useChange('changeOpenadrProgram')
  const resume = () => change.mutate({ programId: id, body: { active: true } })
  const button = (text: string, label: string, onClick: () => void) => (
    <SmallButton aria-label={format(label, { name })} onClick={onClick}>
      {text}
    </SmallButton>
  )
  return (
    <>
      <Group gap="xs">
        <Link
          to={organizationPath(orgId, `/openadr/${id}/mapping`)}
          aria-label={format(texts.mappingOf, { name })}
          size="sm"
          me="xs"
        >
          {texts.mapping}
        </Link>
        {button(texts.check.button, texts.check.of, () => onAction('check'))}
        {button(texts.edit, texts.editOf, () => onAction('edit'))}
        {active ? (
          button(texts.pause, texts.pauseOf, () => onAction('pause'))
        ) : (
          <SmallButton aria-label={format(texts.resumeOf, { name })} onClick={resume} loading={change.isPending}>
            {texts.resume}
          </SmallButton>
        )}
        {button(texts.remove, texts.removeOf, () => onAction('remove'))}
      </Group>
      {change.error && <ErrorNotice error={change.error} />}
    </>
  )
}

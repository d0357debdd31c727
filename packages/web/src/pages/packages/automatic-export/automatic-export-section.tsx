import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { AutomaticExport } from '@plantroom/contract/automatic-exports'
import { useRef, useState } from 'react'
import { useChange, useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { Confirm } from '../../../parts/dialogs.tsx'
import { ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { fullTime } from '../../../parts/time.ts'
import { sentence } from '../../../parts/value.ts'
import { automaticExport as texts } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'
import classes from './automatic-export.module.css'
import { describeRetention, describeSchedule, describeTarget } from './describe-export.ts'
import { EditExport } from './edit-export.tsx'
import { givenAgain } from './export-form.ts'
import { RunsTable } from './runs-table.tsx'
import { TestTarget } from './test-target.tsx'

const POLL_MS = 15_000

/** The automatic export of the site: schedule, targets, state and past runs. */
export function AutomaticExportSection() {
  const query = useOperation('getAutomaticExport', {}, { refetchInterval: POLL_MS })
  const [isEditing, setIsEditing] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  // The button that opened a dialog may be gone once its change is stored.
  const changed = () => section.current?.focus({ preventScroll: true })
  return (
    <Stack component="section" align="stretch" ref={section} tabIndex={-1} style={{ outline: 'none' }}>
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <Text maw={640}>{texts.intro}</Text>
      <QueryView query={query}>
        {({ automaticExport: stored, offered }) => (
          <>
            {stored ? (
              <StoredExport stored={stored} onEdit={() => setIsEditing(true)} onRemoved={changed} />
            ) : (
              <Group>
                <Button variant="default" onClick={() => setIsEditing(true)}>
                  {texts.setUp}
                </Button>
              </Group>
            )}
            {isEditing && (
              <EditExport stored={stored} offered={offered} onClose={() => setIsEditing(false)} onSaved={changed} />
            )}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function StoredExport({
  stored,
  onEdit,
  onRemoved,
}: {
  stored: AutomaticExport
  onEdit: () => void
  onRemoved: () => void
}) {
  const [isRemoving, setIsRemoving] = useState(false)
  const run = useChange('startAutomaticExport')
  const remove = useChange('removeAutomaticExport', { onFresh: onRemoved })
  return (
    <>
      <Facts stored={stored} />
      <Targets stored={stored} />
      <Group gap="xs">
        <Button variant="default" onClick={onEdit}>
          {texts.edit}
        </Button>
        {stored.nextRunAt !== null && (
          <Button variant="default" onClick={() => run.mutate({})} loading={run.isPending}>
            {texts.run}
          </Button>
        )}
        <Button variant="default" onClick={() => setIsRemoving(true)}>
          {texts.remove.button}
        </Button>
      </Group>
      {run.isSuccess && (
        <Text size="sm" role="status">
          {texts.started}
        </Text>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      <RunsTable />
      <Confirm
        opened={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={texts.remove.title}
        action={texts.remove.action}
        mutation={remove}
        onConfirm={() => remove.mutate({})}
      >
        <Text size="sm">{texts.remove.consequence}</Text>
      </Confirm>
    </>
  )
}

function Facts({ stored }: { stored: AutomaticExport }) {
  const { site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  const { enabled, nextRunAt, stoppedReason, lastSuccessAt, failingSince, lastError } = stored
  const facts = [
    [texts.schedule, describeSchedule(stored.schedule, site.timeZone)],
    [texts.next, nextRunAt === null || !enabled ? texts.paused : timeOf(nextRunAt)],
    [texts.last, lastSuccessAt === null ? texts.never : timeOf(lastSuccessAt)],
    [texts.keeps, describeRetention(stored.retention)],
  ] as const
  return (
    <>
      {stoppedReason !== null && (
        <Alert color="red" variant="light" title={texts.stopped}>
          {sentence(stoppedReason)}
        </Alert>
      )}
      {failingSince !== null && (
        <Alert color="red" variant="light" title={format(texts.failing, { time: timeOf(failingSince) })}>
          <Text size="sm" className={classes.message}>
            {format(texts.failingHint, { error: sentence(lastError) })}
          </Text>
        </Alert>
      )}
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Targets({ stored }: { stored: AutomaticExport }) {
  const { site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  return (
    <CardTable
      label={texts.targets.label}
      rows={stored.targets}
      keyOf={({ id }) => id}
      columns={[
        { head: texts.targets.target, cell: ({ label }) => <span className={classes.message}>{label}</span> },
        {
          head: texts.targets.state,
          cell: (target) =>
            describeTarget(target, timeOf).map((line) => (
              <Text key={line} size="sm" className={classes.message}>
                {line}
              </Text>
            )),
        },
        {
          head: texts.targets.actions,
          plain: true,
          cell: (target) => <TestTarget target={givenAgain(target)} label={target.label} />,
        },
      ]}
    />
  )
}

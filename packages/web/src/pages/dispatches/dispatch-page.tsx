import { Alert, Badge, Button, Group, Paper, Select, Stack, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type DispatchOutcome, type FleetDispatch, OUTCOMES } from '@plantroom/contract/fleet'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useChange } from '../../api/use-operation.ts'
import { dispatchesPath, openadrPathOf, sitePath } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { dispatches as texts } from '../../texts/dispatches.ts'
import { format } from '../../texts/format.ts'
import {
  COLORS,
  canCancel,
  describeCounts,
  describeSetpoint,
  describeStagger,
  describeTarget,
} from './describe-dispatch.ts'
import { StateBadge } from './dispatches-page.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { useDispatch } from './use-dispatches.ts'

const timeOf = (at: string) => fullTime(at, ownTimeZone())

/** One fleet dispatch: its progress, and what became of each datapoint. */
export function DispatchPage({ orgId, dispatchId }: { orgId: string; dispatchId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const outcome = OUTCOMES.find((one) => one === parameters.get('outcome'))
  const { query, dispatch, outcomes } = useDispatch(orgId, dispatchId, outcome)
  const back = <Link to={dispatchesPath(orgId)}>{texts.back}</Link>
  if (!dispatch) {
    return (
      <>
        <PageHead title={texts.title}>{back}</PageHead>
        {query.error ? <ErrorNotice error={query.error} retry={query.refetch} /> : <Loading />}
      </>
    )
  }
  return (
    <>
      <PageHead
        title={format(texts.one, { time: timeOf(dispatch.createdAt) })}
        actions={<CancelButton orgId={orgId} dispatch={dispatch} />}
      >
        {back}
      </PageHead>
      <Stack gap="lg">
        {query.failureCount > 0 && (
          <Alert color="yellow" variant="light" role="status">
            {texts.lost}
          </Alert>
        )}
        <ProgressCard dispatch={dispatch} />
        <About orgId={orgId} dispatch={dispatch} />
        <Stack component="section" gap="sm" aria-labelledby="targets">
          <Group justify="space-between" align="flex-end" gap="sm">
            <Title order={2} size="h3" id="targets">
              {texts.targets}
            </Title>
            <Select
              label={texts.show}
              data={[
                { value: '', label: texts.all },
                ...OUTCOMES.map((one) => ({ value: one, label: texts.outcomes[one] })),
              ]}
              value={outcome ?? ''}
              onChange={(chosen) => setParameters(chosen ? { outcome: chosen } : {}, { replace: true })}
              allowDeselect={false}
            />
          </Group>
          {outcomes.length === 0 ? <Empty title={texts.noTargets} /> : <Targets orgId={orgId} outcomes={outcomes} />}
          {query.hasNextPage && (
            <Button
              variant="default"
              mx="auto"
              onClick={() => void query.fetchNextPage()}
              loading={query.isFetchingNextPage}
            >
              {common.more}
            </Button>
          )}
        </Stack>
      </Stack>
    </>
  )
}

function ProgressCard({ dispatch: { state, counts, releasing } }: { dispatch: FleetDispatch }) {
  return (
    <Paper withBorder component="section" p="md" aria-labelledby="progress">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4" id="progress">
            {texts.live}
          </Title>
          <StateBadge state={state} />
        </Group>
        <OutcomeBar counts={counts} size="xl" />
        <Text role="status" className="figures">
          {describeCounts(counts)}
        </Text>
        {releasing > 0 && (
          <Alert color="yellow" variant="light">
            {format(texts.releasing, { count: releasing })}
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}

function About({ orgId, dispatch }: { orgId: string; dispatch: FleetDispatch }) {
  const program = openadrPathOf(orgId, dispatch.placedBy)
  const { name } = dispatch.placedBy
  const placedBy = program ? <Link to={program}>{name}</Link> : name
  const facts: readonly (readonly [string, ReactNode])[] = [
    [texts.what, describeSetpoint(dispatch)],
    [texts.window, format(texts.span, { from: timeOf(dispatch.from), to: timeOf(dispatch.to) })],
    [texts.placedBy, placedBy],
    ...(dispatch.reason === null ? [] : [[texts.reason, dispatch.reason] as const]),
    [texts.deadline, format(texts.deadlineHint, { time: timeOf(dispatch.deadline) })],
    ...(dispatch.staggerSeconds > 0 ? [[texts.stagger, describeStagger(dispatch.staggerSeconds)] as const] : []),
    [texts.id, dispatch.id],
  ]
  return (
    <Paper withBorder component="section" p="xs" aria-label={texts.about}>
      <Table variant="vertical" layout="auto" withRowBorders={false} aria-label={texts.about}>
        <Table.Tbody>
          {facts.map(([fact, value]) => (
            <Table.Tr key={fact}>
              <Table.Th scope="row" w={160} bg="transparent">
                {fact}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Targets({ orgId, outcomes }: { orgId: string; outcomes: readonly DispatchOutcome[] }) {
  return (
    <CardTable
      label={texts.targets}
      rows={outcomes}
      keyOf={({ deviceId, datapointId }) => `${deviceId} ${datapointId}`}
      columns={[
        {
          head: texts.datapoint,
          cell: ({ siteId, deviceId, datapointId, datapointName }) => (
            <Link
              to={sitePath(orgId, siteId, `/devices/${deviceId}?datapoint=${encodeURIComponent(datapointId)}`)}
              inherit
            >
              {datapointName ?? texts.unknown}
            </Link>
          ),
        },
        { head: texts.controller, cell: ({ deviceName }) => deviceName ?? texts.removed },
        { head: texts.setpoint, cell: (target) => <span className="figures">{describeTarget(target)}</span> },
        {
          head: texts.outcome,
          cell: ({ outcome }) => (
            <Badge variant="light" color={COLORS[outcome]} radius="sm">
              {texts.outcomes[outcome]}
            </Badge>
          ),
        },
        { head: texts.why, cell: (target) => <Why target={target} /> },
      ]}
    />
  )
}

function Why({ target: { reason, release } }: { target: DispatchOutcome }) {
  if (reason === null && release === null) return null
  return (
    <>
      {reason !== null && <Text size="sm">{reason}</Text>}
      {release !== null && <Text size="sm">{texts.releases[release]}</Text>}
    </>
  )
}

function CancelButton({ orgId, dispatch }: { orgId: string; dispatch: FleetDispatch }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useChange('cancelDispatch', {
    onSuccess() {
      setAsking(false)
      notifications.show({ message: texts.keep, color: 'green' })
    },
  })
  const now = useNow(5000)
  const { pending, accepted } = dispatch.counts
  if (!canCancel(dispatch, now) && !isAsking) return null
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsking(true)}>
        {texts.cancel}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.cancelTitle}
        action={texts.cancelNow}
        mutation={cancel}
        onConfirm={() => cancel.mutate({ orgId, dispatchId: dispatch.id })}
      >
        {pending > 0 && <Text>{format(texts.cancelPending, { count: pending })}</Text>}
        {accepted > 0 && <Text>{format(texts.cancelAccepted, { count: accepted })}</Text>}
        <Text>{texts.cancelOffline}</Text>
      </Confirm>
    </>
  )
}

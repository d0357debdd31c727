import { Badge, Stack, Text } from '@mantine/core'
import type { FleetDispatch } from '@plantroom/contract/fleet'
import { dispatchesPath } from '../../api/use-site.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Link } from '../../parts/link.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fullTime } from '../../parts/time.ts'
import { dispatches as texts } from '../../texts/dispatches.ts'
import { format } from '../../texts/format.ts'
import { describeCounts, describeSetpoint } from './describe-dispatch.ts'
import { OutcomeBar } from './outcome-bar.tsx'
import { useDispatches } from './use-dispatches.ts'

/** The fleet dispatches of an organization. */
export function DispatchesPage({ orgId, organization }: { orgId: string; organization: string }) {
  const query = useDispatches(orgId)
  return (
    <>
      <PageHead title={texts.title}>{format(texts.intro, { organization })}</PageHead>
      <ListView
        query={query}
        empty={
          <Empty title={texts.none}>
            <Text size="sm">{texts.noneHint}</Text>
            <Text size="sm">{texts.howTo}</Text>
          </Empty>
        }
      >
        {(found) => <DispatchTable orgId={orgId} found={found} />}
      </ListView>
    </>
  )
}

function DispatchTable({ orgId, found }: { orgId: string; found: readonly FleetDispatch[] }) {
  const timeOf = (at: string) => fullTime(at, ownTimeZone())
  return (
    <CardTable
      label={texts.list}
      rows={found}
      keyOf={({ id }) => id}
      columns={[
        {
          head: texts.started,
          time: true,
          cell: ({ id, createdAt }) => (
            <Link to={dispatchesPath(orgId, id)} inherit>
              {timeOf(createdAt)}
            </Link>
          ),
        },
        { head: texts.what, cell: describeSetpoint },
        { head: texts.window, cell: ({ from, to }) => format(texts.span, { from: timeOf(from), to: timeOf(to) }) },
        { head: texts.placedBy, cell: ({ placedBy }) => placedBy.name },
        { head: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
        {
          head: texts.progress,
          cell: ({ counts }) => (
            <Stack gap={4} miw={140}>
              <OutcomeBar counts={counts} />
              <Text size="sm">{describeCounts(counts)}</Text>
            </Stack>
          ),
        },
      ]}
    />
  )
}

const TONES: Readonly<Record<FleetDispatch['state'], string>> = {
  running: 'cyan',
  completed: 'green',
  cancelled: 'gray',
}

export function StateBadge({ state }: { state: FleetDispatch['state'] }) {
  return (
    <Badge variant="light" color={TONES[state]} radius="sm">
      {texts.states[state]}
    </Badge>
  )
}

import { Badge, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { countRequests } from '@plantroom/client/count-requests'
import { OPEN_STATES } from '@plantroom/contract/request-fields'
import type { TicketState, TicketSummary } from '@plantroom/contract/tickets'
import { useQuery } from '@tanstack/react-query'
import { Link as Route } from 'wouter'
import { api } from '../../api/service.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { RequestsTurnedOff } from '../../parts/requests-off.tsx'
import { minuteTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { states } from '../../texts/requests.ts'
import { site as texts } from '../../texts/site.ts'
import classes from './site.module.css'

const SHOWN = 5

/** The number of open requests by state, and the newest of them. */
export function OpenRequests() {
  const { site, path, may } = useSite()
  return (
    <Stack component="section" gap="md" aria-labelledby="open-requests">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} size="h3" id="open-requests">
          {texts.requests}
        </Title>
        {site.maintenanceRequests && <Link to={path('/requests')}>{texts.allRequests}</Link>}
      </Group>
      {site.maintenanceRequests ? (
        <>
          <SimpleGrid cols={{ base: 2, sm: 4 }}>
            {OPEN_STATES.map((state) => (
              <StateTile key={state} state={state} />
            ))}
          </SimpleGrid>
          <Newest />
        </>
      ) : (
        <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />
      )}
    </Stack>
  )
}

function StateTile({ state }: { state: TicketState }) {
  const { orgId, siteId, path } = useSite()
  const count = useQuery({
    queryKey: ['getRequestCounts', { orgId, propertyId: siteId }, state],
    queryFn: () => countRequests(api, { orgId, propertyId: siteId, query: { state: [state] } }),
    refetchInterval: 60_000,
  })
  return (
    <Paper withBorder component={Route} href={path(`/requests?state=${state}`)} className={classes.tile}>
      <Text size="sm">{states[state]}</Text>
      <Skeleton visible={count.isPending} w="fit-content" miw={32}>
        <div className={classes.count}>{count.data === undefined ? common.none : formatNumber(count.data)}</div>
      </Skeleton>
    </Paper>
  )
}

function Newest() {
  const asked = { query: { state: OPEN_STATES, limit: SHOWN } }
  const newest = useOperation('listRequests', asked, { refetchInterval: 60_000 })
  return (
    <QueryView query={newest}>
      {({ tickets }) =>
        tickets.length === 0 ? (
          <Empty title={texts.noRequests} />
        ) : (
          <Paper withBorder className={classes.rows}>
            {tickets.map((ticket) => (
              <NewestRow key={ticket.number} ticket={ticket} />
            ))}
          </Paper>
        )
      }
    </QueryView>
  )
}

function NewestRow({ ticket: { number, title, state, unit, createdAt } }: { ticket: TicketSummary }) {
  const { site, path } = useSite()
  const now = useNow(60_000)
  return (
    <Stack p="md" py="sm" gap={4}>
      <Link to={path(`/requests/${number}`)}>{title}</Link>
      <Group gap="xs">
        <Badge variant="default" size="sm">
          {states[state]}
        </Badge>
        <Text size="sm" c="dimmed">
          {joinFacts([
            format(texts.requestNumber, { number: String(number) }),
            unit,
            minuteTime(createdAt, site.timeZone, now),
          ])}
        </Text>
      </Group>
    </Stack>
  )
}

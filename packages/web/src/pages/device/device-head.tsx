import { Alert, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { ReactNode } from 'react'
import { useSite } from '../../api/use-site.ts'
import { onlineOf } from '../../live/live-view.ts'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notices.tsx'
import { OnlineBadge } from '../../parts/online-badge.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { duration, shortTime } from '../../parts/time.ts'
import { device as texts } from '../../texts/device.ts'
import { format } from '../../texts/format.ts'
import type { RowGroup } from './rows.ts'
import type { LiveState } from './use-live-state.ts'

/** The name of the controller, whether it is online, and what is wrong with it. */
export function DeviceHead({ listed, state, timeZone }: { listed: Device; state: LiveState; timeZone: string }) {
  const { device, freshness } = state
  return (
    <div>
      <PageHead title={listed.name}>
        <OnlineBadge online={onlineOf(freshness, listed.online)} />
      </PageHead>
      <div role="status">
        {freshness === 'lost' && (
          <NotLive color="orange" title={texts.lostTitle} hint={texts.lostHint}>
            {describeSilence(state)} {device && describeLastHeard(state, timeZone)}
          </NotLive>
        )}
        {freshness === 'offline' && (
          <NotLive color="red" title={texts.offlineTitle} hint={hintOf(state)}>
            {describeLastHeard(state, timeZone)}
          </NotLive>
        )}
        {freshness === 'slow' && (
          <NotLive color="orange" title={texts.slowTitle} hint={hintOf(state)}>
            {describeLastHeard(state, timeZone)}
          </NotLive>
        )}
      </div>
      {device?.clockSuspect && (
        <Alert color="red" title={texts.clockSuspectTitle} mt="sm">
          <Text size="sm">{texts.clockSuspect}</Text>
        </Alert>
      )}
    </div>
  )
}

/** Why the page is not live. The age in it changes every second and is not read aloud again. */
function NotLive(props: { color: string; title: string; hint: string; children: ReactNode }) {
  return (
    <Alert color={props.color} title={props.title}>
      <Text size="sm">
        <span aria-live="off">{props.children}</span> {props.hint}
      </Text>
    </Alert>
  )
}

/** What is known about a controller that does not answer. One that held nothing leaves nothing behind. */
function hintOf({ device }: LiveState): string {
  const isFree = device?.holds.length === 0 && device.overrides.length === 0
  return isFree ? texts.offlineFree : texts.offlineHint
}

function describeSilence({ silentMs }: LiveState): string {
  return silentMs === undefined ? texts.lostAtOnce : format(texts.lostSince, { age: duration(silentMs) })
}

function describeLastHeard({ device, ageMs, now }: LiveState, timeZone: string): string {
  if (!device) return texts.nothingHeard
  return format(texts.lastHeard, { age: duration(ageMs), time: shortTime(now - ageMs, timeZone, now) })
}

const MAX_SHOWN = 12

const COLORS: Record<ConnectionStatus, string> = { 1: 'green', 2: 'blue', 0: 'gray', [-1]: 'red' }

/** The connections of a controller to its equipment. In a long list, those with trouble come first. */
export function ConnectionCards({ groups, isLost }: { groups: readonly RowGroup[]; isLost: boolean }) {
  if (groups.length === 0) return <NothingCommissioned />
  const isConnected = ({ live }: RowGroup) => live?.status === CONNECTION_STATUS.connected
  const inOrder =
    groups.length <= MAX_SHOWN ? groups : groups.toSorted((a, b) => Number(isConnected(a)) - Number(isConnected(b)))
  const leftOut = groups.length - MAX_SHOWN
  return (
    <Stack component="section" gap="sm" aria-labelledby="connections">
      <Title order={2} size="h3" id="connections">
        {texts.connections}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {inOrder.slice(0, MAX_SHOWN).map(({ connection, systemName, live, rows }) => (
          <Card withBorder padding="sm" key={connection.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
              <div>
                <Text fw={600}>{connection.name}</Text>
                <Text size="sm" c="dimmed">
                  {format(texts.connectionOf, { system: systemName, count: rows.length })}
                </Text>
              </div>
              <StatusBadge status={live?.status} isLost={isLost} />
            </Group>
            {live && isLost && <Text size="sm">{texts.statusThen[live.status]}</Text>}
            {live?.error && (
              <Text size="sm" mt={4} lineClamp={4}>
                {live.error}
              </Text>
            )}
          </Card>
        ))}
      </SimpleGrid>
      {leftOut > 0 && <Text c="dimmed">{format(texts.moreConnections, { count: leftOut })}</Text>}
    </Stack>
  )
}

/** Says what this person can do about it. */
function NothingCommissioned() {
  const { may, path } = useSite()
  return (
    <Empty title={texts.noConnections}>
      {may('admin') ? <Link to={path('/settings/systems')}>{texts.loadFile}</Link> : texts.noConnectionsHint}
    </Empty>
  )
}

/** The status of a connection; unknown while the controller does not answer. */
export function StatusBadge({ status, isLost }: { status: ConnectionStatus | undefined; isLost: boolean }) {
  const isKnown = status !== undefined && !isLost
  return (
    <Badge variant="light" color={isKnown ? COLORS[status] : 'gray'} style={{ flexShrink: 0 }}>
      {texts.status[isKnown ? status : 'unknown']}
    </Badge>
  )
}

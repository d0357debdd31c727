import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { windowTimes } from '../../parts/hold-words.ts'
import { Loading } from '../../parts/notices.tsx'
import { duration } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { site as texts } from '../../texts/site.ts'
import { HeldCard } from './held-card.tsx'
import { heldDatapoints, queuedWindows, type SeenDevice, unheardDevices } from './overview.ts'

/** More would be slow to draw every second, and nobody reads them. */
const SHOWN_AT_FIRST = 24

export function HeldNow({ devices, now }: { devices: readonly SeenDevice[]; now: number }) {
  const [showsAll, setShowsAll] = useState(false)
  const held = heldDatapoints(devices)
  const { asked, silent } = unheardDevices(devices)
  const shown = showsAll ? held : held.slice(0, SHOWN_AT_FIRST)

  return (
    <Stack component="section" gap="md" aria-labelledby="held-now">
      <Group gap="sm" align="baseline">
        <Title order={2} size="h3" id="held-now">
          {texts.held}
        </Title>
        <Text c="dimmed" role="status">
          {held.length > 0 && texts.heldCount(held.length)}
        </Text>
      </Group>
      {devices.some(({ view }) => view?.stream === 'lost') && (
        <Alert color="yellow" variant="light" role="status">
          {texts.lost}
        </Alert>
      )}
      {silent.length > 0 && (
        <Alert color="yellow" variant="light">
          {texts.notKnown(namesOf(silent), silent.length)}
        </Alert>
      )}
      {shown.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
          {shown.map((each) => (
            <HeldCard key={`${each.seen.device.id} ${each.hold.datapointId}`} held={each} now={now} />
          ))}
        </SimpleGrid>
      )}
      {held.length > shown.length && (
        <Button variant="default" onClick={() => setShowsAll(true)} style={{ alignSelf: 'flex-start' }}>
          {texts.showAll(held.length)}
        </Button>
      )}
      {asked.length > 0 && <Loading what={texts.listening(namesOf(asked))} />}
      {held.length === 0 && asked.length === 0 && silent.length < devices.length && (
        <Paper withBorder p="xl">
          <Text size="lg" ta="center">
            {silent.length === 0 ? texts.nothingHeld : texts.nothingHeldKnown}
          </Text>
        </Paper>
      )}
      <Queued devices={devices} now={now} />
    </Stack>
  )
}

const namesOf = (devices: readonly SeenDevice[]) =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(devices.map(({ device }) => device.name))

function Queued({ devices, now }: { devices: readonly SeenDevice[]; now: number }) {
  const { site } = useSite()
  const { count, next, name = texts.unknownDatapoint } = queuedWindows(devices)
  if (!next) return null
  const times = windowTimes(next, { timeZone: site.timeZone, now })
  const left = duration(Date.parse(next.from) - now)
  return (
    <Text>
      {texts.queued(count)}{' '}
      <Text span c="dimmed" className="figures">
        {texts.queuedNext(name, shownValue(next.value), times, left)}
      </Text>
    </Text>
  )
}

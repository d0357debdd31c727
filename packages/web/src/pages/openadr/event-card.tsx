import { Alert, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import type { OpenadrEvent } from '@plantroom/contract/openadr'
import { type ReactNode, useState } from 'react'
import { useOrganization } from '../../api/use-site.ts'
import { sentence } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import {
  describeAsks,
  describeFacts,
  describePeriod,
  EVENT_COLORS,
  eventTitle,
  isShownOnly,
  type SiteNames,
} from './describe-event.ts'
import classes from './openadr.module.css'
import { OptOuts } from './opt-outs.tsx'
import { PlacementView } from './placement-view.tsx'
import type { MeaningOf } from './use-meanings.ts'

const FIRST = 4

/** One event: when it is, what it asks for, what is not followed, and what became of the rest at every controller. */
export function EventCard({
  event,
  sites,
  meaningOf,
  now,
}: {
  event: OpenadrEvent
  sites: SiteNames
  meaningOf: MeaningOf
  now: number
}) {
  const { timeZone } = useOrganization()
  const when = { timeZone, now }
  const { state, problems, placements } = event
  const isInformation = placements.length === 0 && isShownOnly(event, meaningOf)
  return (
    <Paper withBorder p="md" component="article" aria-labelledby={event.id}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h5" id={event.id} className={classes.wrap}>
              {eventTitle(event)}
            </Title>
            <Text size="sm" className="figures">
              {describePeriod(event, when)}
            </Text>
            <Text size="sm" c="dimmed" className={classes.wrap}>
              {describeFacts(event, when)}
            </Text>
          </div>
          <Badge variant="light" color={EVENT_COLORS[state]} radius="sm">
            {texts.states[state]}
          </Badge>
        </Group>
        {problems.length > 0 && !isInformation && (
          <Alert color="yellow" variant="light" p="sm" title={texts.problems}>
            <Lines of={problems.map(sentence)} />
          </Alert>
        )}
        {!isInformation && <OptOuts event={event} when={when} />}
        <Part title={texts.asks}>
          <Lines of={describeAsks(event, when)} />
        </Part>
        <Part title={texts.placements}>
          {placements.length === 0 ? (
            <Text size="sm">{isInformation ? texts.shownOnly : texts.notPlaced}</Text>
          ) : (
            <Some of={placements}>
              {(some) => (
                <ul className={classes.plain}>
                  {some.map((placement) => (
                    <li key={placement.id} className={classes.placement}>
                      <PlacementView placement={placement} sites={sites} now={now} />
                    </li>
                  ))}
                </ul>
              )}
            </Some>
          )}
        </Part>
      </Stack>
    </Paper>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {children}
    </div>
  )
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    <Some of={of}>
      {(some) => (
        <List size="sm" listStyleType="none" className="figures">
          {some.map((line) => (
            <List.Item key={line} className={classes.wrap}>
              {line}
            </List.Item>
          ))}
        </List>
      )}
    </Some>
  )
}

/** The first items, with a button for the others. */
function Some<Item>({ of, children }: { of: readonly Item[]; children: (some: readonly Item[]) => ReactNode }) {
  const [isAll, setIsAll] = useState(false)
  const left = of.length - FIRST
  return (
    <>
      {children(isAll ? of : of.slice(0, FIRST))}
      {left > 0 && !isAll && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsAll(true)}>
          {format(texts.more, { count: left })}
        </Button>
      )}
    </>
  )
}

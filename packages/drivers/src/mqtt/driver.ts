import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { createQueue, type Queue } from '../queue.ts'
import { commandPayload, nearestRaw } from './codec.ts'
import { type Command, type MqttConfig, parseConfig } from './config.ts'
import { MAX_ECHO_MS } from './echo.ts'
import { restoringPayload } from './image.ts'
import { addressOf, type Link, openLink } from './link.ts'
import { absenceOf, commonAbsence, type PlannedPoint, planTopics } from './plan.ts'
import { createStateTracker } from './state-tracker.ts'
import { targetsOf } from './targets.ts'

/** Equipment behind an MQTT broker: it publishes its state on one topic and accepts commands on another. */
export function createMqttProtocol({ clock }: { clock: Clock }): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    targets: (connection) => targetsOf(parseConfig(connection).config),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      refuseProblems(problems)
      const ids = connection.datapoints.map(({ id }) => id)
      return createDriver(config, ids, { clock, listener })
    },
  }
}

/** @param ids of the config's points, in the same order */
function createDriver(
  config: MqttConfig,
  ids: readonly string[],
  { clock, listener }: { clock: Clock; listener: DriverListener | undefined },
): Driver {
  const { settings } = config
  const { points, topics } = planTopics(config)
  const pointsById = new Map(points.map((point, index) => [ids[index], point]))
  const states = createStateTracker(topics, Math.min(settings.timeoutMs, MAX_ECHO_MS), clock)
  const { cache } = states
  /** The writes of each point are sent in order. */
  const queues = new Map<PlannedPoint, Queue>(points.map((point) => [point, createQueue()]))
  // The same for each link, so that the broker ends the last one if it has not noticed its loss. Every broker must accept
  // 23 letters and digits.
  const clientId = settings.clientId ?? newId('plr').replace('_', '')
  let link: Link | undefined
  let opening = new AbortController()

  function openedLink(): Link {
    if (!link) throw new Failure('offline', `the connection to ${addressOf(settings)} is not open`)
    link.lost.throwIfAborted()
    return link
  }

  function commandOf(pointId: string): { point: PlannedPoint; command: Command } {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${excerpt(pointId)} is not a datapoint of this connection`)
    if (!point.command) throw new Failure('rejected', `${point.name} can only be read`)
    return { point, command: point.command }
  }

  /** Throws if the equipment is absent: the link to the broker alone says nothing about the equipment. */
  function requireEquipment(): void {
    const absence = commonAbsence(points, cache.latest)
    if (absence !== undefined) throw new Failure('offline', absence)
  }

  function leave(): void {
    opening.abort()
    const left = link
    link = undefined
    left?.end()
  }

  return {
    async open(signal) {
      if (link && !link.lost.aborted) return
      leave()
      opening = new AbortController()
      const mine = opening
      states.clear()
      const opened = await openLink({
        settings,
        clientId,
        topics,
        clock,
        signal: AbortSignal.any([signal, mine.signal]),
        listener,
        onMessage(topic, payload, retained) {
          if (mine === opening) cache.receive(topic, payload, { retained, now: clock.monotonic() })
        },
      })
      for (const topic of opened.refused)
        cache.giveUp(topic, `the broker refused the subscription to ${excerpt(topic)}`)
      link = opened
      opened.lost.addEventListener('abort', () => {
        if (link === opened) listener?.lost(opened.lost.reason)
      })
      states.subscribed()
    },

    async read(pointIds, { urgent = false } = {}) {
      const { lost } = openedLink()
      const asked = pointIds.map((id) => pointsById.get(id))
      await states.decided(points, lost)
      requireEquipment()
      if (urgent) await Promise.all(asked.map((point) => states.settled(point, lost)))
      lost.throwIfAborted()
      requireEquipment()
      return asked.map((point, index): Reading => {
        if (point) return states.reading(point)
        return { error: `${excerpt(pointIds[index] ?? '')} is not a datapoint of this connection` }
      })
    },

    nearest: (pointId, raw) => nearestRaw(commandOf(pointId).command, raw),

    async write(pointId, value, { stillWanted = () => true } = {}) {
      const { point, command } = commandOf(pointId)
      const payload = typeof value === 'object' ? restoringPayload(command, value) : commandPayload(command, value)
      const { publish, lost } = openedLink()
      const inTurn = queues.get(point) as Queue
      const { acknowledged } = await inTurn(async () => {
        await states.decided([point], lost)
        // The broker would acknowledge a command that the equipment never receives.
        const absence = absenceOf(point, cache.latest)
        if (absence !== undefined) throw new Failure('rejected', `${point.name}: ${absence}; nothing was sent`)
        if (!stillWanted()) throw new Failure('conflict', `${point.name}: no longer wanted; nothing was sent`)
        states.expectStateAfter(point, value)
        return { acknowledged: publish(command, payload) }
      })
      await acknowledged
    },

    async close() {
      leave()
    },
  }
}

import { type Clock, sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, Reading, Writable } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { createQueue, type Queue } from '../queue.ts'
import { commandPayload, nearestRaw } from './codec.ts'
import { type Command, type MqttConfig, parseConfig } from './config.ts'
import { type Echo, expectEcho, isEchoed, MAX_ECHO_MS } from './echo.ts'
import { restoringPayload } from './image.ts'
import { addressOf, type Link, openLink } from './link.ts'
import { createMessageCache } from './message-cache.ts'
import { absenceOf, commonAbsence, isUndecided, type PlannedPoint, planTopics, readingOf } from './plan.ts'
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
  const cache = createMessageCache(topics)
  const echoes = new Map<PlannedPoint, Echo>()
  /** The writes of each point are sent in order. */
  const queues = new Map<PlannedPoint, Queue>(points.map((point) => [point, createQueue()]))
  // The same for each link, so that the broker ends the last one if it has not noticed its loss. Every broker must accept
  // 23 letters and digits.
  const clientId = settings.clientId ?? newId('plr').replace('_', '')
  const echoMs = Math.min(settings.timeoutMs, MAX_ECHO_MS)
  let link: Link | undefined
  let openedAt = 0
  let opening = new AbortController()

  function openedLink(): Link {
    if (!link) throw new Failure('offline', `the connection to ${addressOf(settings)} is not open`)
    link.lost.throwIfAborted()
    return link
  }

  const reading = (point: PlannedPoint) => readingOf(point, cache.latest, clock.monotonic())

  function commandOf(pointId: string): { point: PlannedPoint; command: Command } {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${excerpt(pointId)} is not a datapoint of this connection`)
    if (!point.command) throw new Failure('rejected', `${point.name} can only be read`)
    return { point, command: point.command }
  }

  /** Returns until when to wait for a newer state of the point; a time in the past if none is expected. */
  function unsettledUntil(point: PlannedPoint, topic: string): number {
    const message = cache.latest(topic)
    const echo = echoes.get(point)
    if (echo && !isEchoed(echo, message, reading(point))) return echo.until
    // A retained state arrives right after the subscription.
    return message ? 0 : openedAt + echoMs
  }

  /** Waits for messages on these topics until `until`, which is evaluated again after each message, has passed. */
  async function listenUntil(topics: readonly string[], lost: AbortSignal, until: () => number): Promise<void> {
    for (;;) {
      const waitMs = until() - clock.monotonic()
      if (waitMs <= 0 || lost.aborted) return
      const received = new AbortController()
      const stops = topics.map((topic) => cache.listen(topic, () => received.abort()))
      await sleep(clock, waitMs, AbortSignal.any([received.signal, lost]))
      for (const stop of stops) stop()
    }
  }

  async function settled(point: PlannedPoint | undefined, lost: AbortSignal): Promise<void> {
    if (!point?.state) return
    const { topic } = point.state
    await listenUntil([topic], lost, () => unsettledUntil(point, topic))
  }

  /** Waits for the retained availability, which arrives right after the subscription if there is one. */
  async function decided(about: readonly PlannedPoint[], lost: AbortSignal): Promise<void> {
    const topics = about.flatMap(({ availabilities }) => availabilities.map(({ topic }) => topic))
    await listenUntil(topics, lost, () => (isUndecided(about, cache.latest) ? openedAt + echoMs : 0))
    lost.throwIfAborted()
  }

  /** Throws if the equipment is absent: the link to the broker alone says nothing about the equipment. */
  function requireEquipment(): void {
    const absence = commonAbsence(points, cache.latest)
    if (absence !== undefined) throw new Failure('offline', absence)
  }

  function expectStateAfter(point: PlannedPoint, value: Writable): void {
    if (!point.state) return
    const pending = unsettledUntil(point, point.state.topic) > clock.monotonic()
    const about = { pending, until: clock.monotonic() + echoMs }
    echoes.set(point, expectEcho(value, cache.latest(point.state.topic), reading(point), about))
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
      cache.clear()
      echoes.clear()
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
      openedAt = clock.monotonic()
    },

    async read(pointIds, { urgent = false } = {}) {
      const { lost } = openedLink()
      const asked = pointIds.map((id) => pointsById.get(id))
      await decided(points, lost)
      requireEquipment()
      if (urgent) await Promise.all(asked.map((point) => settled(point, lost)))
      lost.throwIfAborted()
      requireEquipment()
      return asked.map((point, index): Reading => {
        if (point) return reading(point)
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
        await decided([point], lost)
        // The broker would acknowledge a command that the equipment never receives.
        const absence = absenceOf(point, cache.latest)
        if (absence !== undefined) throw new Failure('rejected', `${point.name}: ${absence}; nothing was sent`)
        if (!stillWanted()) throw new Failure('conflict', `${point.name}: no longer wanted; nothing was sent`)
        expectStateAfter(point, value)
        return { acknowledged: publish(command, payload) }
      })
      await acknowledged
    },

    async close() {
      leave()
    },
  }
}

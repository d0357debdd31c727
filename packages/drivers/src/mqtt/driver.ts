import { type Clock, sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, Raw, Reading } from '../driver.ts'
import { createBoard } from './board.ts'
import { commandPayload, nearestRaw } from './codec.ts'
import { type Command, type MqttConfig, parseConfig } from './config.ts'
import { type Echo, expectEcho, isEchoed, LONGEST_ECHO_MS } from './echo.ts'
import { addressOf, type Link, openLink } from './link.ts'
import { absenceOf, type PlannedPoint, planTopics, readingOf } from './plan.ts'

/** Equipment that speaks MQTT through a broker: it tells its state on one topic and takes commands on another. */
export function createMqttProtocol({ clock }: { clock: Clock }): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      if (problems.length > 0) {
        throw new Failure('invalid', problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
      }
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
  const board = createBoard(topics)
  const echoes = new Map<PlannedPoint, Echo>()
  // The same for each link: a broker that has not noticed the loss of the last one ends it for the new one. Of 23 letters
  // and digits, which is what every broker must take.
  const clientId = settings.clientId ?? newId('plr').replace('_', '')
  const echoMs = Math.min(settings.timeoutMs, LONGEST_ECHO_MS)
  let link: Link | undefined
  let openedAt = 0
  let opening = new AbortController()

  function standingLink(): Link {
    if (!link) throw new Failure('offline', `the connection to ${addressOf(settings)} is not open`)
    link.lost.throwIfAborted()
    return link
  }

  const reading = (point: PlannedPoint) => readingOf(point, board.latest, clock.monotonic())

  function commandOf(pointId: string): { point: PlannedPoint; command: Command } {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.command) throw new Failure('rejected', `${point.name} can only be read`)
    return { point, command: point.command }
  }

  /** What the state of the point will tell is still on its way: until when it is worth waiting for. */
  function unsettledUntil(point: PlannedPoint, topic: string): number {
    const message = board.latest(topic)
    const echo = echoes.get(point)
    if (echo && !isEchoed(echo, message, reading(point))) return echo.until
    // A retained state comes right after the subscription.
    return message ? 0 : openedAt + echoMs
  }

  async function settled(point: PlannedPoint | undefined, lost: AbortSignal): Promise<void> {
    if (!point?.state) return
    const { topic } = point.state
    for (;;) {
      const waitMs = unsettledUntil(point, topic) - clock.monotonic()
      if (waitMs <= 0 || lost.aborted) return
      const heard = new AbortController()
      const stop = board.listen(topic, () => heard.abort())
      await sleep(clock, waitMs, AbortSignal.any([heard.signal, lost])).finally(stop)
    }
  }

  function noteCommand(point: PlannedPoint, raw: Raw): void {
    if (!point.state) return
    const pending = unsettledUntil(point, point.state.topic) > clock.monotonic()
    const about = { pending, until: clock.monotonic() + echoMs }
    echoes.set(point, expectEcho(raw, board.latest(point.state.topic), reading(point), about))
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
      board.clear()
      echoes.clear()
      const opened = await openLink({
        settings,
        clientId,
        topics,
        clock,
        signal: AbortSignal.any([signal, mine.signal]),
        listener,
        onMessage(topic, payload, retained) {
          if (mine === opening) board.post(topic, payload, { retained, now: clock.monotonic() })
        },
      })
      for (const topic of opened.refused) board.giveUp(topic, `the broker does not let us listen to ${topic}`)
      link = opened
      opened.lost.addEventListener('abort', () => {
        if (link === opened) listener?.lost(opened.lost.reason)
      })
      openedAt = clock.monotonic()
    },

    async read(pointIds, { urgent = false } = {}) {
      const { lost } = standingLink()
      const asked = pointIds.map((id) => pointsById.get(id))
      if (urgent) await Promise.all(asked.map((point) => settled(point, lost)))
      lost.throwIfAborted()
      return asked.map((point, index): Reading => {
        return point ? reading(point) : { error: `${pointIds[index]} is not a datapoint of this connection` }
      })
    },

    nearest: (pointId, raw) => nearestRaw(commandOf(pointId).command, raw),

    async write(pointId, raw) {
      const { point, command } = commandOf(pointId)
      const payload = commandPayload(command, raw)
      const { publish } = standingLink()
      // The broker would acknowledge it all the same, and nobody would ever see it.
      const absence = absenceOf(point, board.latest)
      if (absence !== undefined) throw new Failure('rejected', `${point.name}: ${absence}; nothing was sent`)
      noteCommand(point, raw)
      await publish(command, payload)
    },

    async close() {
      leave()
    },
  }
}

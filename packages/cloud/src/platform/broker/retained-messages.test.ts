import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startRetainedSweep } from './retained-messages.ts'
import { connectAs, listenTo, OTHER, OURS } from './testing/devices.ts'
import { startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'
import { startNats, withoutNats } from './testing/nats.ts'

const MESSAGE = Buffer.alloc(1024 * 1024, 'x')
const CLOUD_ID = 'cloud_1'

function retainedMessagesOn(
  name: string,
  options: { skip: boolean; start(): Promise<{ url: string; cloudUrl: string }> },
): void {
  describe.skipIf(options.skip)(`messages that a device leaves at ${name}`, () => {
    async function start() {
      const { url, cloudUrl } = await options.start()
      const clock = createManualClock()
      const logged: string[] = []
      const log = createLog('test', 'info', { write: (line) => void logged.push(line) })
      const retained = startRetainedSweep({ url: cloudUrl, cloudId: CLOUD_ID, clock, log })
      onTestFinished(() => retained.close())
      const device = await connectAs(url, OURS)
      const { username, password } = new URL(cloudUrl)
      const account = {
        username: decodeURIComponent(username) || undefined,
        password: decodeURIComponent(password) || undefined,
      } as { username: string; password: string }
      let readers = 0
      /** The topics that a new subscriber gets. */
      async function left(): Promise<string[]> {
        readers += 1
        const reader = await connectAs(url, `reader_${readers}`, account)
        const heard = listenTo(reader)
        await reader.subscribeAsync('plantroom/#')
        await reader.unsubscribeAsync('plantroom/#')
        await reader.endAsync(true)
        return heard.map(({ topic }) => topic).toSorted()
      }
      const leave = (topic: string, payload: Buffer | string = MESSAGE) =>
        device.publishAsync(topic, payload, { qos: 1, retain: true })
      return { device, clock, logged, retained, leave, left }
    }

    test('are removed, except for its status', async () => {
      const { leave, left, retained, clock, logged } = await start()
      const kinds = [topics.reports(OURS), topics.measurements(OURS), topics.broadcast(OURS), topics.askTime(OURS, '1')]
      const replies = Array.from({ length: 20 }, (_, index) => topics.reply(OURS, 'made-up', `${index}`, 'ok'))
      for (const topic of [...kinds, ...replies]) await leave(topic)
      await leave(topics.status(OURS), 'here')
      expect(await left()).toHaveLength(25)
      await clock.advance(60_000)
      await eventually(async () => expect(await left()).toEqual([topics.status(OURS)]))
      await eventually(() => expect(retained.cleared).toBe(24))
      expect(logged.join()).toContain(OURS)
    })

    test('are all removed with the device, also those that it leaves at its end', async () => {
      const { leave, left, retained, clock } = await start()
      await leave(topics.status(OURS), 'here')
      await leave(topics.reply(OURS, 'made-up', '1', 'ok'))
      retained.forget(OURS)
      await eventually(async () => expect(await left()).toEqual([]))
      await leave(topics.status(OURS), 'gone')
      await clock.advance(60_000)
      await eventually(async () => expect(await left()).toEqual([]))
      // Another one of this id may exist some day.
      await clock.advance(600_000)
      await retained.sweep()
      await leave(topics.status(OURS), 'here')
      await retained.sweep()
      expect(await left()).toEqual([topics.status(OURS)])
    })

    test('stay when they belong to another device that exists', async () => {
      const { leave, left, retained } = await start()
      await leave(topics.status(OURS), 'here')
      retained.forget(OTHER)
      await retained.sweep()
      expect(await left()).toEqual([topics.status(OURS)])
    })
  })
}

retainedMessagesOn('Mosquitto', { skip: withoutMosquitto, start: () => startMosquitto() })
retainedMessagesOn('NATS', { skip: withoutNats, start: startNats })

import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { type DeviceStatus, parseDeviceStatus } from '@plantroom/contract/presence'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished } from 'vitest'
import type { MessageHandler } from '../commands/command.ts'
import { type LinkListener, openCloudLink } from '../link/cloud-link.ts'
import type { TestBroker } from './broker.ts'

export const NOW = Date.UTC(2030, 0, 1)
export const DEVICE = 'dev_1'

const handlers: Readonly<Record<string, MessageHandler>> = {
  echo: (data) => JSON.stringify(data),
  refuse: () => {
    throw new Failure('rejected', 'no such datapoint')
  },
  demandResponseCancel: () => '{"success":true}',
}

/** A listener that ignores everything. */
export const silentListener: LinkListener = {
  connected() {},
  heard() {},
  greeted() {},
  confirmed() {},
  cloudTime() {},
}

/** Opens a link with three commands, closed after the test. `random` replaces that of the backoff. */
export function connect(
  url: string,
  {
    secret = 'hunter2',
    listener = silentListener,
    random = () => 0,
  }: { secret?: string; listener?: LinkListener; random?: () => number } = {},
) {
  const clock = createManualClock(NOW)
  const logged: string[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line).msg) })
  const link = openCloudLink({ url, deviceId: DEVICE, secret, handlers, listener, clock, log, random })
  let closed: Promise<void> | undefined
  const close = async () => {
    closed ??= link.close()
    await clock.advance(2000)
    await closed
  }
  onTestFinished(close)
  /** Waits until the link is lost, or an attempt fails, for the nth time; then lets it retry. */
  const retry = async (attempt: number, afterMs = 0) => {
    const lost = () => logged.filter((message) => message === 'not connected to the cloud').length
    await eventually(() => expect(lost()).toBe(attempt))
    await clock.advance(afterMs)
  }
  return { clock, logged, link, close, retry }
}

/** The statuses that the device announced, in order. */
export function statuses(broker: TestBroker): DeviceStatus[] {
  const said = broker.heard.filter(({ topic }) => topic === topics.status(DEVICE))
  return said.flatMap(({ text }) => parseDeviceStatus(text) ?? [])
}

export const isOnline = (broker: TestBroker) => eventually(() => expect(statuses(broker).at(-1)?.online).toBe(true))

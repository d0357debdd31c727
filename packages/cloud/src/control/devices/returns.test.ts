import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import type { BusReceiver, DeviceBus } from '../../platform/broker/index.ts'
import { connectDevices } from './device-link.ts'
import type { OverrideReleaseStore } from './override-release-store.ts'
import { createOverrideReleases } from './override-releases.ts'
import type { ReplacementStore } from './replacement-store.ts'
import { startReplacements } from './replacements.ts'

const log = createLog('test', 'silent')
const DEVICES = Array.from({ length: 1000 }, (_, index) => `dev_${index}`)

test('the return of many devices takes one statement of each kind, not one per device', async () => {
  const clock = createManualClock()
  let receiver: BusReceiver | undefined
  const bus: DeviceBus = {
    connected: true,
    problem: undefined,
    send() {},
    receive(next) {
      receiver = next
    },
    leave: async () => {},
    close: async () => {},
  }
  const ignore = { receive() {} }
  const receivers = { reports: ignore, measurements: ignore, broadcast: ignore, health: ignore, state: ignore }
  const devices = { get: (id: string) => ({ id }), ids: () => DEVICES, subscribe() {} }
  const link = connectDevices({ bus, devices, receivers, clock, log, cloudId: 'cloud_1', replyTimeoutMs: 1_000 })
  onTestFinished(() => link.close())

  const claims: string[] = []
  const claim = (what: string) => async (deviceIds: readonly string[]) => {
    claims.push(`${what}: ${deviceIds.length}`)
    return []
  }
  const releaseStore = { claim: claim('releases') } as Partial<OverrideReleaseStore> as OverrideReleaseStore
  const releases = createOverrideReleases({ store: releaseStore, link, clock, log })
  onTestFinished(() => releases.close())
  const replacementStore = { claim: claim('replacements') } as Partial<ReplacementStore> as ReplacementStore
  const unused = { findDevice: () => undefined, activity: {} as never }
  const replacements = startReplacements({ store: replacementStore, link, ...unused, clock, log })
  onTestFinished(() => replacements.close())

  const status = Buffer.from(JSON.stringify({ online: true, link: 'link_1' }))
  for (const deviceId of DEVICES) receiver?.message(topics.status(deviceId), status)
  await clock.advance(100)
  await eventually(() => expect(claims.toSorted()).toEqual(['releases: 1000', 'replacements: 1000']))
})

import type { LoadStorage } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { advance, type Building, newBuilding } from '@plantroom/simulator/building'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startController } from '../testing/controller.ts'

const STEP_S = 0.25
const QUARTER_S = 900
const CEILING_KW = 60
/** What one quarter may exceed its ceiling by: the noise of the building within the last readings. */
const NOISE_KW = 1

/** A whole controller at the simulated building, second by second. */
async function aControlledBuilding(seed: number, storage?: LoadStorage) {
  const powerLimit = {
    ...{ meterId: 'meter', meterKwPerUnit: 1, guaranteedKw: 4.2 },
    loads: [
      {
        ...({ datapointId: 'battery', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50, kwPerUnit: 1 } as const),
        ...(storage && { storage }),
      },
      {
        ...({ datapointId: 'boiler', kind: 'switching', priority: 2, shedValue: 0, ratedKw: 9 } as const),
        ...{ minOnSeconds: 60, minOffSeconds: 120 },
      },
    ],
  }
  const loads = ['battery', 'boiler'].map((id) => aDatapoint({ id, accessType: 'READ_WRITE' }))
  const system = {
    ...aSystem('sys', [
      aConnection({ datapoints: [aDatapoint({ id: 'meter' }), aDatapoint({ id: 'charge' }), ...loads] }),
    ]),
    powerLimit,
  }
  const controller = await startController(system, { points: { meter: 0, battery: 5, boiler: 1, charge: 50 } })
  onTestFinished(() => controller.stop())
  const { equipment, clock } = controller
  const site = { building: newBuilding(seed) as Building, quarterKwh: [] as number[] }

  /** Lets the building follow the clock, with what its registers held until now. */
  function follow(): void {
    for (let { building } = site; building.time + STEP_S <= clock.monotonic() / 1000; building = site.building) {
      const battery = { ...building.battery, setpointKw: Number(equipment.points.get('battery')) }
      const boiler = { ...building.boiler, enabled: equipment.points.get('boiler') === 1 }
      site.building = advance({ ...building, battery, boiler }, STEP_S)
      const quarter = Math.floor((clock.now() / 1000 - (clock.monotonic() / 1000 - site.building.time)) / QUARTER_S)
      site.quarterKwh[quarter] = (site.quarterKwh[quarter] ?? 0) + (site.building.grid.powerKw * STEP_S) / 3600
    }
  }
  equipment.beforeWrite = follow
  equipment.showing = (id, raw) => {
    follow()
    // It stores up to 100 kWh, so that this is its charge in percent.
    if (id === 'charge') return Math.round(site.building.battery.storedKwh * 10) / 10
    return id === 'meter' ? Math.round(site.building.meter.shown.powerKw * 1000) / 1000 : raw
  }
  return { controller, site, follow }
}

describe('the simulated building under a limit', () => {
  test.each(
    [
      ['with a meter that is 8 s late', { late: 8_000 }],
      ['as its meter is', {}],
      ['with a meter that shows a value every 10 s', { every: 10_000 }],
    ].slice(0, isCampaign ? 3 : 1) as [string, object][],
  )('keeps each whole quarter of an hour, %s', async (_name, meter) => {
    const { controller, site, follow } = await aControlledBuilding(3)
    const { clock } = controller
    site.building = { ...site.building, faults: { meter } }
    await controller.override('battery', 20, 0, 7_200)
    const at = (seconds: number) => formatTimestamp(clock.now() + seconds * 1000)
    const request = { direction: 'import', kw: CEILING_KW, from: at(0), to: at(7_200), averagingSeconds: 900 }
    await controller.call('placeLimit', request)
    const first = Math.floor(clock.now() / 1000 / QUARTER_S) + 1
    const quarters = isCampaign ? 6 : 1
    await controller.pass((first + quarters) * QUARTER_S - clock.now() / 1000)
    follow()
    for (const kWh of site.quarterKwh.slice(first, first + quarters)) {
      expect(kWh * 4).toBeLessThanOrEqual(CEILING_KW + NOISE_KW)
      // There was demand for all of it.
      expect(kWh * 4).toBeGreaterThan(CEILING_KW * 0.95)
    }
  })

  test('with a battery that has 2 kWh left keeps the limit with the boiler first, and spares the battery', async () => {
    const storage = { chargeId: 'charge', capacityKwh: 100, lowestPercent: 10, highestPercent: 100 }
    const { controller, site, follow } = await aControlledBuilding(3, storage)
    const { clock } = controller
    site.building = { ...site.building, battery: { ...site.building.battery, storedKwh: 12 } }
    await controller.pass(5)
    const at = (seconds: number) => formatTimestamp(clock.now() + seconds * 1000)
    const request = { direction: 'import', kw: CEILING_KW, from: at(0), to: at(3_600), averagingSeconds: 900 }
    await controller.call('placeLimit', request)
    const first = Math.floor(clock.now() / 1000 / QUARTER_S) + 1
    await controller.pass((first + 1) * QUARTER_S - clock.now() / 1000)
    follow()
    expect((site.quarterKwh[first] ?? 0) * 4).toBeLessThanOrEqual(CEILING_KW + NOISE_KW)
    // Without the boiler's turn, it would be at its reserve of 10 kWh.
    expect(site.building.battery.storedKwh).toBeGreaterThan(10.5)
  })
})

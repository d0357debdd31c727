import type { PeakShaving, PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { LimitInterval, PowerLimitState } from '@plantroom/contract/power-limit'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { onTestFinished } from 'vitest'
import type { Caller } from '../../overrides/once.ts'
import { type Controller, startController } from '../../testing/controller.ts'

export const BOILER_KW = 9
export const BOILER = {
  ...{ datapointId: 'boiler', kind: 'switching' as const, priority: 2, shedValue: 0, ratedKw: BOILER_KW },
  ...{ minOnSeconds: 0, minOffSeconds: 300 },
}

export const BATTERY = {
  ...{ datapointId: 'battery', kind: 'modulating' as const, priority: 1, minKw: -50, maxKw: 50, kwPerUnit: 1 },
}

/** A site with a battery that charges with 20 kW and reads its charge, a boiler that runs, a contact, and a meter of what all of it draws. */
export async function aPlant(
  about: {
    baseKw?: number
    settings?: Partial<PowerLimitSettings>
    peakShaving?: PeakShaving
    options?: Partial<Parameters<typeof startController>[1]>
  } = {},
) {
  const powerLimit: PowerLimitSettings = {
    meterId: 'meter',
    meterKwPerUnit: 1,
    guaranteedKw: 4.2,
    loads: [BATTERY, BOILER],
    ...about.settings,
  }
  const datapoints = [
    aDatapoint({ id: 'meter' }),
    aDatapoint({ id: 'battery', accessType: 'READ_WRITE' }),
    aDatapoint({ id: 'boiler', accessType: 'READ_WRITE' }),
    aDatapoint({ id: 'contact' }),
    aDatapoint({ id: 'charge' }),
  ]
  const { peakShaving } = about
  const system = { ...aSystem('sys', [aConnection({ datapoints })]), powerLimit, ...(peakShaving && { peakShaving }) }
  const controller = await startController(system, {
    points: { meter: 0, battery: 20, boiler: 1, contact: 0, charge: 50 },
    ...about.options,
  })
  onTestFinished(() => controller.stop())
  const { equipment } = controller
  const plant = {
    baseKw: about.baseKw ?? 10,
    frozenAt: undefined as number | undefined,
    isMeterTurned: false,
    emptyBelowKw: undefined as number | undefined,
  }
  const register = (id: string) => Number(equipment.points.get(id))
  const flows = () => Math.max(register('battery'), plant.emptyBelowKw ?? Number.NEGATIVE_INFINITY)
  const drawn = () => plant.baseKw + flows() + BOILER_KW * register('boiler')
  const shown = () => plant.frozenAt ?? (plant.isMeterTurned ? -drawn() : drawn())
  equipment.showing = (id, raw) => (id === 'meter' ? shown() : raw)
  await controller.pass(2)
  return Object.assign(plant, { controller, register, drawn, system, ...commandsOf(controller) })
}

function commandsOf(controller: Controller) {
  const at = (seconds: number) => formatTimestamp(controller.clock.now() + seconds * 1000)
  return {
    /** Places a limit from now on, and returns its id. */
    async limit(kw: number, toS: number, more: object = {}, caller: Partial<Caller> = {}): Promise<string> {
      const request = { direction: 'import', kw, from: at(0), to: at(toS), averagingSeconds: 900, ...more }
      return ((await controller.call('placeLimit', request, caller)) as { id: string }).id
    },
    at,
    /** What the audit says about the meter, one line each. */
    audited: () =>
      controller.reports
        .filter(({ datapointId }) => datapointId === 'meter')
        .map(({ phase, reason, value }) => `${phase} (${reason}) ${value}`),
    intervals: (): LimitInterval[] => controller.reports.flatMap(({ interval }) => interval ?? []),
    /** The intervals of one limit. */
    proven: (id: string): LimitInterval[] =>
      controller.reports.flatMap(({ overrideId, interval }) => (overrideId === id && interval) || []),
    state: async () => ((await controller.call('getControlState', {})) as { powerLimit: PowerLimitState }).powerLimit,
  }
}

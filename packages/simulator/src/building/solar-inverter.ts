import type { Clock } from '@plantroom/base/clock'
import { createSunspecDevice, type SunspecDevice } from '../sunspec/device.ts'
import type { LiveBuilding } from './live-building.ts'
import { SOLAR } from './solar.ts'

/** The unit id of the inverter of the solar panels. */
export const SOLAR_INVERTER_UNIT = 4

const WATTS = 1000
const THROTTLED = 5
const MPPT = 4
const SLEEPING = 2
const CONTROLS = 123

/** The inverter of the solar panels: models 103 and 123 of SunSpec. A limit takes effect while it is enabled. */
export function createSolarInverter(live: LiveBuilding, clock: Clock): SunspecDevice {
  const watts = () => live.now().solar.powerKw * WATTS
  const phaseVoltage = () => live.now().grid.voltage
  const amperes = () => watts() / (3 * phaseVoltage())
  const inverter = createSunspecDevice(
    [
      {
        model: 1,
        values: { Mn: 'Plantroom', Md: 'Simulated solar inverter', Vr: '1', SN: 'roof', DA: SOLAR_INVERTER_UNIT },
      },
      {
        model: 103,
        values: {
          ...{ A: () => 3 * amperes(), AphA: amperes, AphB: amperes, AphC: amperes },
          ...{ PhVphA: phaseVoltage, PhVphB: phaseVoltage, PhVphC: phaseVoltage },
          ...{ W: watts, VA: watts, VAr: 0, PF: 1, Hz: () => live.now().grid.frequencyHz },
          WH: () => live.now().solar.generatedWh,
          St: () => stateOf(live.now().solar),
        },
      },
      {
        model: CONTROLS,
        values: { WMaxLimPct: 100, WMaxLimPct_WinTms: 0, WMaxLimPct_RvrtTms: 0, WMaxLimPct_RmpTms: 0, WMaxLim_Ena: 0 },
      },
    ],
    clock,
    () => {
      const isLimited = inverter.value(CONTROLS, 'WMaxLim_Ena') === 1
      const limitPercent = isLimited ? Math.min(100, inverter.value(CONTROLS, 'WMaxLimPct') ?? 100) : 100
      const building = live.now()
      live.change({ ...building, solar: { ...building.solar, limitPercent } })
    },
  )
  return inverter
}

function stateOf({ powerKw, limitPercent }: { powerKw: number; limitPercent: number }): number {
  if (powerKw < 0.01) return SLEEPING
  return powerKw > (SOLAR.peakKw * limitPercent) / 100 - 0.05 && limitPercent < 100 ? THROTTLED : MPPT
}

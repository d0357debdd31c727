/** An electric boiler for hot water. A relay releases it, and its thermostat decides when it heats. */
export interface Boiler {
  /** The relay: when false, it does not heat. */
  enabled: boolean
  setpointC: number
  waterC: number
  /** Whether the thermostat asks for heat. */
  isHeating: boolean
  powerKw: number
}

export const BOILER = {
  ratedKw: 9,
  minSetpointC: 40,
  maxSetpointC: 75,
  /** The thermostat heats from this much below the setpoint, up to the setpoint. */
  hysteresisK: 3,
  /** A tank of 100 litres. */
  waterKwhPerK: 0.116,
  /** The heat of the hot water that people use on average, and how much that varies. */
  useKw: 4,
  useWaveKw: 2,
  usePeriodSeconds: 1100,
  lossKwPerK: 0.003,
  roomC: 20,
}

export const newBoiler: Boiler = { enabled: true, setpointC: 60, waterC: 58.5, isHeating: false, powerKw: 0 }

/** Returns the boiler `seconds` later, `time` seconds after the start. */
export function advanceBoiler(boiler: Boiler, { seconds, time }: { seconds: number; time: number }): Boiler {
  const { enabled, setpointC, waterC } = boiler
  const isBelow = waterC < (boiler.isHeating ? setpointC : setpointC - BOILER.hysteresisK)
  const powerKw = enabled && isBelow ? BOILER.ratedKw : 0
  return {
    ...boiler,
    isHeating: isBelow,
    powerKw,
    waterC: waterC + ((powerKw - takenKw(waterC, time)) * seconds) / 3600 / BOILER.waterKwhPerK,
  }
}

/** Returns the heat that leaves the tank. Water at room temperature warms nobody. */
export function takenKw(waterC: number, time: number): number {
  const above = Math.max(0, waterC - BOILER.roomC)
  const used = BOILER.useKw + BOILER.useWaveKw * Math.sin((2 * Math.PI * time) / BOILER.usePeriodSeconds)
  return BOILER.lossKwPerK * above + used * Math.min(1, above / 10)
}

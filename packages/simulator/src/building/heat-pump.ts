/** An air-to-water heat pump that heats the offices through their floor. */
export interface HeatPump {
  /** When false, the compressor is off and the water cools down to the room temperature. */
  enabled: boolean
  /** The setpoint of the flow temperature. */
  setpointC: number
  /** The limit of the electrical power. */
  powerLimitKw: number
  flowC: number
  roomC: number
  /** The electrical power. */
  powerKw: number
  /** The heat output to the water. */
  heatKw: number
  /** Whether the compressor runs, and for how many seconds it has run or stood still. */
  isRunning: boolean
  sinceSeconds: number
}

export const HEAT_PUMP = {
  minSetpointC: 20,
  maxSetpointC: 60,
  ratedPowerKw: 10,
  ratedHeatKw: 30,
  /** The time constant of the flow temperature. */
  flowSeconds: 120,
  waterKwhPerK: 1 / 12,
  roomKwhPerK: 0.625,
  /** The heat transfer from the water to the room, and from the room to the outdoors. */
  floorKwPerK: 1,
  wallKwPerK: 0.875,
  /** The efficiency relative to the theoretical maximum. */
  carnotShare: 0.45,
  smallestLiftK: 10,
  /** Its own protection: the compressor runs, and stands still, for at least this long, whatever it is asked for. */
  minOnSeconds: 60,
  minOffSeconds: 120,
  /** What it draws while it only runs for its minimum time. */
  minPowerKw: 1,
}

export const newHeatPump: HeatPump = {
  enabled: true,
  setpointC: 35,
  powerLimitKw: HEAT_PUMP.ratedPowerKw,
  flowC: 35,
  roomC: 21,
  powerKw: 3,
  heatKw: 14,
  isRunning: true,
  sinceSeconds: 3600,
}

/** Returns the coefficient of performance, which falls with the lift from the outdoor to the water temperature. */
export function coefficientOfPerformance(flowC: number, outdoorC: number): number {
  const lift = Math.max(flowC - outdoorC, HEAT_PUMP.smallestLiftK)
  return (HEAT_PUMP.carnotShare * (flowC + 273.15)) / lift
}

/** Returns the heat pump and its room `seconds` later. Heat is conserved between the two. */
export function advanceHeatPump(
  pump: HeatPump,
  { seconds, outdoorC }: { seconds: number; outdoorC: number },
): HeatPump {
  const hours = seconds / 3600
  const cop = coefficientOfPerformance(pump.flowC, outdoorC)
  const toRoomKw = HEAT_PUMP.floorKwPerK * (pump.flowC - pump.roomC)
  const outsideKw = HEAT_PUMP.wallKwPerK * (pump.roomC - outdoorC)
  const askedKw = pump.enabled ? Math.min(Math.max(wantedKw(pump, toRoomKw), 0), mostHeatKw(pump, cop)) : 0
  const isRunning = mustStay(pump) ? pump.isRunning : askedKw > 0
  const heatKw = isRunning ? askedKw || Math.min(HEAT_PUMP.minPowerKw * cop, HEAT_PUMP.ratedHeatKw) : 0
  return {
    ...pump,
    isRunning,
    sinceSeconds: isRunning === pump.isRunning ? pump.sinceSeconds + seconds : 0,
    heatKw,
    powerKw: heatKw / cop,
    flowC: pump.flowC + ((heatKw - toRoomKw) * hours) / HEAT_PUMP.waterKwhPerK,
    roomC: pump.roomC + ((toRoomKw - outsideKw) * hours) / HEAT_PUMP.roomKwhPerK,
  }
}

/** Reports whether the compressor must go on as it is. */
const mustStay = ({ isRunning, sinceSeconds }: HeatPump) =>
  sinceSeconds < (isRunning ? HEAT_PUMP.minOnSeconds : HEAT_PUMP.minOffSeconds)

/** Returns the heat that the room absorbs, plus the heat that moves the water to its setpoint. */
function wantedKw({ setpointC, flowC }: HeatPump, toRoomKw: number): number {
  return toRoomKw + (HEAT_PUMP.waterKwhPerK * (setpointC - flowC) * 3600) / HEAT_PUMP.flowSeconds
}

function mostHeatKw({ powerLimitKw }: HeatPump, cop: number): number {
  return Math.min(HEAT_PUMP.ratedHeatKw, Math.min(powerLimitKw, HEAT_PUMP.ratedPowerKw) * cop)
}

import { clamp } from './clamp.ts'

/** An air-to-water heat pump that heats the offices through their floor. */
export interface HeatPump {
  /** Off, the compressor stands and the water cools down to the room. */
  enabled: boolean
  /** What the water that leaves it is to have. */
  setpointC: number
  /** Electrical power is held at or below this. */
  powerLimitKw: number
  flowC: number
  roomC: number
  /** Electrical. */
  powerKw: number
  /** What it gives to the water. */
  heatKw: number
}

export const HEAT_PUMP = {
  minSetpointC: 20,
  maxSetpointC: 60,
  ratedPowerKw: 10,
  ratedHeatKw: 30,
  /** In this time the flow temperature goes all of the way to its setpoint but for 1/e. */
  flowSeconds: 120,
  waterKwhPerK: 1 / 12,
  roomKwhPerK: 0.625,
  /** From the water to the room, and from the room to the open air. */
  floorKwPerK: 1,
  wallKwPerK: 0.875,
  /** Of what physics would allow at best. */
  carnotShare: 0.45,
  smallestLiftK: 10,
}

export const newHeatPump: HeatPump = {
  enabled: true,
  setpointC: 35,
  powerLimitKw: HEAT_PUMP.ratedPowerKw,
  flowC: 35,
  roomC: 21,
  powerKw: 3,
  heatKw: 14,
}

/** Heat for one unit of electricity: the further the water is lifted above the air outside, the less. */
export function coefficientOfPerformance(flowC: number, outdoorC: number): number {
  const lift = Math.max(flowC - outdoorC, HEAT_PUMP.smallestLiftK)
  return (HEAT_PUMP.carnotShare * (flowC + 273.15)) / lift
}

/** The heat pump and its room `seconds` later. What leaves one store of heat arrives in the next. */
export function advanceHeatPump(
  pump: HeatPump,
  { seconds, outdoorC }: { seconds: number; outdoorC: number },
): HeatPump {
  const hours = seconds / 3600
  const cop = coefficientOfPerformance(pump.flowC, outdoorC)
  const toRoomKw = HEAT_PUMP.floorKwPerK * (pump.flowC - pump.roomC)
  const outsideKw = HEAT_PUMP.wallKwPerK * (pump.roomC - outdoorC)
  const heatKw = pump.enabled ? clamp(wantedKw(pump, toRoomKw), 0, mostHeatKw(pump, cop)) : 0
  return {
    ...pump,
    heatKw,
    powerKw: heatKw / cop,
    flowC: pump.flowC + ((heatKw - toRoomKw) * hours) / HEAT_PUMP.waterKwhPerK,
    roomC: pump.roomC + ((toRoomKw - outsideKw) * hours) / HEAT_PUMP.roomKwhPerK,
  }
}

/** What the room takes from the water, and what brings that to the setpoint in its time. */
function wantedKw({ setpointC, flowC }: HeatPump, toRoomKw: number): number {
  return toRoomKw + (HEAT_PUMP.waterKwhPerK * (setpointC - flowC) * 3600) / HEAT_PUMP.flowSeconds
}

function mostHeatKw({ powerLimitKw }: HeatPump, cop: number): number {
  return Math.min(HEAT_PUMP.ratedHeatKw, Math.min(powerLimitKw, HEAT_PUMP.ratedPowerKw) * cop)
}

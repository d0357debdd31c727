import { clamp } from './clamp.ts'

/** A battery with its inverter. Power above 0 charges, below 0 discharges. */
export interface Battery {
  /** Off, it neither charges nor discharges. */
  enabled: boolean
  setpointKw: number
  /** Charging is held at or below this. */
  chargeLimitKw: number
  /** Discharging stops at this state of charge. */
  reservePercent: number
  powerKw: number
  storedKwh: number
  temperatureC: number
  /** All that ever went in or out, at the terminals. */
  throughputWh: number
}

export const BATTERY = {
  capacityKwh: 100,
  ratedPowerKw: 50,
  rampKwPerSecond: 10,
  /** Of what goes in, this share is stored; of what is taken from the store, this share comes out. */
  efficiency: 0.96,
  ambientC: 22,
  heatingAtRatedPowerC: 15,
  heatingSeconds: 600,
}

export const newBattery: Battery = {
  enabled: true,
  setpointKw: 5,
  chargeLimitKw: BATTERY.ratedPowerKw,
  reservePercent: 10,
  powerKw: 0,
  storedKwh: BATTERY.capacityKwh / 2,
  temperatureC: BATTERY.ambientC,
  throughputWh: 123_456_789,
}

/** The inverter after a reboot, when it has forgotten all that it was told; what is stored is stored. */
export function rebooted(battery: Battery): Battery {
  const { enabled, setpointKw, chargeLimitKw, reservePercent } = newBattery
  return { ...battery, enabled, setpointKw, chargeLimitKw, reservePercent }
}

/** The battery `seconds` later. Power ramps to the setpoint, and holds what the store, the limits and the rating allow. */
export function advanceBattery(battery: Battery, seconds: number): Battery {
  const hours = seconds / 3600
  const ramp = BATTERY.rampKwPerSecond * seconds
  const ramped = clamp(wantedKw(battery), battery.powerKw - ramp, battery.powerKw + ramp)
  const powerKw = clamp(ramped, -dischargeable(battery) / hours, chargeable(battery) / hours)
  const stored = battery.storedKwh + powerKw * hours * (powerKw > 0 ? BATTERY.efficiency : 1 / BATTERY.efficiency)
  return {
    ...battery,
    powerKw,
    storedKwh: clamp(stored, 0, BATTERY.capacityKwh),
    temperatureC: nextTemperature(battery.temperatureC, powerKw, seconds),
    throughputWh: battery.throughputWh + Math.abs(powerKw) * 1000 * hours,
  }
}

export function chargePercent(battery: Battery): number {
  return (battery.storedKwh / BATTERY.capacityKwh) * 100
}

export const isFull = (battery: Battery) => battery.storedKwh >= BATTERY.capacityKwh
export const isAtReserve = (battery: Battery) => battery.storedKwh <= reserveKwh(battery)

/** What the setpoint asks for and the limits let through; the store may allow less. */
export function wantedKw(battery: Battery): number {
  if (!battery.enabled) return 0
  return clamp(battery.setpointKw, -BATTERY.ratedPowerKw, Math.min(BATTERY.ratedPowerKw, battery.chargeLimitKw))
}

/** Terminal energy that the store still takes, in kWh. */
const chargeable = (battery: Battery) => (BATTERY.capacityKwh - battery.storedKwh) / BATTERY.efficiency

/** Terminal energy that the store still gives, in kWh. */
const dischargeable = (battery: Battery) => Math.max(0, battery.storedKwh - reserveKwh(battery)) * BATTERY.efficiency

const reserveKwh = (battery: Battery) => (battery.reservePercent / 100) * BATTERY.capacityKwh

function nextTemperature(temperatureC: number, powerKw: number, seconds: number): number {
  const settlesAt = BATTERY.ambientC + BATTERY.heatingAtRatedPowerC * (Math.abs(powerKw) / BATTERY.ratedPowerKw)
  return settlesAt + (temperatureC - settlesAt) * Math.exp(-seconds / BATTERY.heatingSeconds)
}

import type { BatteryFaults } from '../faults.ts'

/** A battery with its inverter. Power above 0 charges, below 0 discharges. */
export interface Battery {
  /** When false, it neither charges nor discharges. */
  enabled: boolean
  setpointKw: number
  /** The limit of the charging power. */
  chargeLimitKw: number
  /** Discharging stops at this state of charge. */
  reservePercent: number
  powerKw: number
  storedKwh: number
  temperatureC: number
  /** The total energy in and out, at the terminals. */
  throughputWh: number
}

export const BATTERY = {
  capacityKwh: 100,
  ratedPowerKw: 50,
  rampKwPerSecond: 10,
  /** The share of the energy that is stored when charging, and delivered when discharging. */
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

/** Returns the inverter after a reboot: it has lost its settings, but not its charge. */
export function rebooted(battery: Battery): Battery {
  const { enabled, setpointKw, chargeLimitKw, reservePercent } = newBattery
  return { ...battery, enabled, setpointKw, chargeLimitKw, reservePercent }
}

/**
 * Returns the battery `seconds` later. Power ramps to the setpoint, as far as charge, limits and rating allow. One that refuses
 * keeps its setpoint and stays at its power.
 */
export function advanceBattery(battery: Battery, seconds: number, faults: BatteryFaults = {}): Battery {
  const hours = seconds / 3600
  const ramp = faults.refuses ? 0 : BATTERY.rampKwPerSecond * seconds
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

/** Returns the setpoint within the limits; the state of charge may allow less. */
export function wantedKw(battery: Battery): number {
  if (!battery.enabled) return 0
  return clamp(battery.setpointKw, -BATTERY.ratedPowerKw, Math.min(BATTERY.ratedPowerKw, battery.chargeLimitKw))
}

/** Returns the terminal energy that the battery can still take, in kWh. */
const chargeable = (battery: Battery) => (BATTERY.capacityKwh - battery.storedKwh) / BATTERY.efficiency

/** Returns the terminal energy that the battery can still deliver, in kWh. */
const dischargeable = (battery: Battery) => Math.max(0, battery.storedKwh - reserveKwh(battery)) * BATTERY.efficiency

const reserveKwh = (battery: Battery) => (battery.reservePercent / 100) * BATTERY.capacityKwh

function nextTemperature(temperatureC: number, powerKw: number, seconds: number): number {
  const settlesAt = BATTERY.ambientC + BATTERY.heatingAtRatedPowerC * (Math.abs(powerKw) / BATTERY.ratedPowerKw)
  return settlesAt + (temperatureC - settlesAt) * Math.exp(-seconds / BATTERY.heatingSeconds)
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

import type { SunspecPoint } from './config.ts'
import { findPoint } from './layout.ts'
import { isValueType, TYPES } from './values.ts'

/** The timer after which the device ends a control by itself, by model and by the points that it is for. */
const TIMERS: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>> = {
  123: {
    Conn_RvrtTms: ['Conn'],
    WMaxLimPct_RvrtTms: ['WMaxLimPct', 'WMaxLim_Ena'],
    OutPFSet_RvrtTms: ['OutPFSet', 'OutPFSet_Ena'],
    VArPct_RvrtTms: ['VArWMaxPct', 'VArMaxPct', 'VArAvalPct', 'VArPct_Mod', 'VArPct_Ena'],
  },
  124: { InOutWRte_RvrtTms: ['StorCtl_Mod', 'OutWRte', 'InWRte'] },
  704: {
    PFWInjRvrtTms: ['PFWInj.PF', 'PFWInj.Ext', 'PFWInjEna'],
    PFWAbsRvrtTms: ['PFWAbs.PF', 'PFWAbs.Ext', 'PFWAbsEna'],
    WMaxLimPctRvrtTms: ['WMaxLimPct', 'WMaxLimPctEna'],
    WSetRvrtTms: ['WSet', 'WSetPct', 'WSetMod', 'WSetEna'],
    VarSetRvrtTms: ['VarSet', 'VarSetPct', 'VarSetMod', 'VarSetEna'],
  },
}

/** What says whether the device follows a control: a point of its own, or one bit of a point for several controls. */
export interface Switch {
  point: SunspecPoint
  /** The bits that are for the control. */
  mask: number
  /** For messages. */
  name: string
}

/** The point that is, or contains, the switch of a control, by model and by the points that it is for. */
const SWITCHES: typeof TIMERS = {
  123: {
    WMaxLim_Ena: ['WMaxLimPct'],
    OutPFSet_Ena: ['OutPFSet'],
    VArPct_Ena: ['VArWMaxPct', 'VArMaxPct', 'VArAvalPct'],
  },
  124: { StorCtl_Mod: ['InWRte', 'OutWRte'] },
  704: {
    PFWInjEna: ['PFWInj.PF', 'PFWInj.Ext'],
    PFWAbsEna: ['PFWAbs.PF', 'PFWAbs.Ext'],
    WMaxLimPctEna: ['WMaxLimPct'],
    WSetEna: ['WSet', 'WSetPct'],
    VarSetEna: ['VarSet', 'VarSetPct'],
  },
}

/** The bits of `StorCtl_Mod`: charging is limited, discharging is limited. */
const BITS: Readonly<Record<string, number>> = { InWRte: 0, OutWRte: 1 }
const WHOLE = 0xffff

type Companions = ReadonlyMap<SunspecPoint, SunspecPoint>

/** Returns the reversion timer of each point that has one. Points with the same timer share it. */
export const timersOf = (points: readonly SunspecPoint[]): Companions => companionsOf(points, TIMERS)

/** Returns the switch of each control that has one: the device follows the control unless the switch is 0. */
export function switchesOf(points: readonly SunspecPoint[]): ReadonlyMap<SunspecPoint, Switch> {
  const companions = [...companionsOf(points, SWITCHES)]
  return new Map(companions.map(([point, companion]) => [point, switchIn(companion, point)]))
}

function switchIn(point: SunspecPoint, control: SunspecPoint): Switch {
  const bit = point.type === 'bitfield16' ? BITS[control.path] : undefined
  if (bit === undefined) return { point, mask: WHOLE, name: point.path }
  return { point, mask: 1 << bit, name: `bit ${bit} of ${point.path}` }
}

/** Returns what the register of a switch must hold: the bits of other controls stay as they are. */
export function switched({ mask }: Switch, word: number, isOn: boolean): number {
  if (mask === WHOLE) return isOn ? 1 : 0
  return isOn ? word | mask : word & ~mask
}

/** Reports whether a switch that holds this keeps the device from following its control. */
export function isSwitchedOff({ point, mask }: Pick<Switch, 'point' | 'mask'>, word: number): boolean {
  // A bitfield that the device does not implement switches nothing off.
  return (word & mask) === 0 && !(point.type === 'bitfield16' && TYPES.bitfield16.isAbsent(word))
}

function companionsOf(points: readonly SunspecPoint[], table: typeof TIMERS): Companions {
  const companions = new Map<SunspecPoint, SunspecPoint>()
  for (const point of points) {
    const { model, instance, path, writable } = point
    const of = writable && Object.entries(table[model] ?? {}).find(([, paths]) => paths.includes(path))?.[0]
    if (!of) continue
    const known = [...points, ...companions.values()].find(
      (each) => each.writable && each.model === model && each.instance === instance && each.path === of,
    )
    companions.set(point, known ?? companionOf(point, of))
  }
  return companions
}

function companionOf({ unitId, model, instance }: SunspecPoint, path: string): SunspecPoint {
  const found = findPoint(model, path)
  if ('message' in found || !isValueType(found.definition.type)) throw new Error(`no ${path} in model ${model}`)
  return { ...found, name: path, unitId, instance, type: found.definition.type, writable: true }
}

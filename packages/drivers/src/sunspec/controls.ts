import type { SunspecPoint } from './config.ts'
import { findPoint } from './layout.ts'
import { isValueType } from './values.ts'

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

/** The point that says whether the device follows a control, by model and by the points that it is for. */
const SWITCHES: typeof TIMERS = {
  123: {
    WMaxLim_Ena: ['WMaxLimPct'],
    OutPFSet_Ena: ['OutPFSet'],
    VArPct_Ena: ['VArWMaxPct', 'VArMaxPct', 'VArAvalPct'],
  },
  704: {
    PFWInjEna: ['PFWInj.PF', 'PFWInj.Ext'],
    PFWAbsEna: ['PFWAbs.PF', 'PFWAbs.Ext'],
    WMaxLimPctEna: ['WMaxLimPct'],
    WSetEna: ['WSet', 'WSetPct'],
    VarSetEna: ['VarSet', 'VarSetPct'],
  },
}

type Companions = ReadonlyMap<SunspecPoint, SunspecPoint>

/** Returns the reversion timer of each point that has one. Points with the same timer share it. */
export const timersOf = (points: readonly SunspecPoint[]): Companions => companionsOf(points, TIMERS)

/** Returns the switch of each control that has one: the device follows the control unless the switch is 0. */
export const switchesOf = (points: readonly SunspecPoint[]): Companions => companionsOf(points, SWITCHES)

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

function companionOf({ model, instance }: SunspecPoint, path: string): SunspecPoint {
  const found = findPoint(model, path)
  if ('message' in found || !isValueType(found.definition.type)) throw new Error(`no ${path} in model ${model}`)
  return { ...found, name: path, instance, type: found.definition.type, writable: true }
}

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

/** Returns the reversion timer of each point that has one. Points with the same timer share it. */
export function timersOf(points: readonly SunspecPoint[]): ReadonlyMap<SunspecPoint, SunspecPoint> {
  const timers = new Map<SunspecPoint, SunspecPoint>()
  for (const point of points) {
    const path = point.writable && timerPath(point)
    if (!path) continue
    const known = [...timers.values()].find(
      (timer) => timer.model === point.model && timer.instance === point.instance && timer.path === path,
    )
    timers.set(point, known ?? timerPoint(point, path))
  }
  return timers
}

const timerPath = ({ model, path }: SunspecPoint) =>
  Object.entries(TIMERS[model] ?? {}).find(([, paths]) => paths.includes(path))?.[0]

function timerPoint({ model, instance }: SunspecPoint, path: string): SunspecPoint {
  const found = findPoint(model, path)
  if ('message' in found || !isValueType(found.definition.type)) throw new Error(`no timer ${path} in model ${model}`)
  return { ...found, name: path, instance, type: found.definition.type, writable: true }
}

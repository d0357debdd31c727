import { catalogue } from './language.ts'

/** The picture of the power flow of a site. */
export const flow = catalogue('flow', {
  title: 'Power now',
  sources: 'Supply and storage',
  loads: 'Loads',
  parts: {
    grid: 'Grid',
    generation: 'Generation',
    storage: 'Storage',
    load: 'Loads',
    rest: 'Other loads',
  },
  forth: {
    grid: 'drawn',
    generation: 'generated',
    storage: 'charging',
    load: 'used',
    rest: 'used',
  },
  back: {
    grid: 'fed in',
    generation: 'used',
    storage: 'discharging',
    load: 'supplied',
    rest: 'supplied',
  },
  still: 'idle',
  unknown: 'no value',
  limit: 'Limit {limit}',
  above: 'Above {limit}',
})

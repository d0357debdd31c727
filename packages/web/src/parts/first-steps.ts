import type { GettingStartedSteps } from '@plantroom/contract/api'

/** The steps in the order in which they can be done. */
export const FIRST_STEPS = [
  'site',
  'controller',
  'commissioned',
  'key',
  'override',
] as const satisfies readonly (keyof GettingStartedSteps)[]

/** What an organization has done, and where it continues. */
export interface ListedSteps {
  orgId: string
  steps: GettingStartedSteps
  siteId: string | null
  deviceId: string | null
}

/** Returns the address of the page where a step is done; `undefined` while an earlier step is missing. */
export function pathOfStep(step: keyof GettingStartedSteps, list: ListedSteps): string | undefined {
  const { orgId, siteId, deviceId, steps } = list
  if (step === 'site') return '/?all'
  if (siteId === null) return undefined
  const site = `/o/${orgId}/s/${siteId}`
  if (step === 'controller') return `${site}/settings/systems`
  if (step === 'key') return `/o/${orgId}/keys`
  if (deviceId === null) return undefined
  if (step === 'commissioned') return `${site}/settings/systems`
  return steps.commissioned ? `${site}/devices/${deviceId}` : undefined
}

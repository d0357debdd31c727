import type { Mapping } from '@plantroom/contract/openadr-mapping'
import type { Target } from '../normal/parts.ts'

/** What the VTN says about us: our name, the groups of the VEN and those of its resources. */
export interface Addressee {
  readonly venName?: string
  readonly venTargets?: readonly Target[]
  readonly resources?: readonly { readonly name: string; readonly targets: readonly Target[] }[]
}

/**
 * Returns a lookup of the mapped resources that targets address:
 *
 * - without targets: all of them;
 * - by name, by a target that the VTN gave to the resource, or by one of the mapping;
 * - all of them, when the targets name our VEN or one of its groups, and no resource.
 *
 * An event for another VEN addresses none, even if it names a resource of ours.
 */
export function addressing(mapping: Mapping, { venName, venTargets = [], resources = [] }: Addressee) {
  const known = new Map(resources.map(({ name, targets }) => [name, targets]))
  const namesOfVen = new Set(venTargets.map(({ value }) => value))
  if (venName !== undefined) namesOfVen.add(venName)
  const all = mapping.resources.map(({ resourceName }) => resourceName)
  const byTarget = new Map<string, string[]>()
  for (const { resourceName, targets = [] } of mapping.resources) {
    const ofVtn = (known.get(resourceName) ?? []).map(({ value }) => value)
    for (const target of new Set([resourceName, ...targets, ...ofVtn]))
      byTarget.set(target, [...(byTarget.get(target) ?? []), resourceName])
  }
  return (targets: readonly Target[]): readonly string[] => {
    if (targets.length === 0) return all
    const ofVens = targets.filter(({ type }) => type === 'VEN_NAME')
    if (ofVens.length > 0 && venName !== undefined && !ofVens.some(({ value }) => value === venName)) return []
    const others = targets.filter(({ type }) => type !== 'VEN_NAME')
    const named = [...new Set(others.flatMap(({ value }) => byTarget.get(value) ?? []))]
    if (named.length > 0) return named
    if (targets.some(({ type }) => type === 'RESOURCE_NAME')) return []
    return targets.some(({ value }) => namesOfVen.has(value)) ? all : []
  }
}

import { editsBetween } from '@plantroom/base/closest-name'
import { printable } from './output.ts'

/** More of a name is not compared: a list may have ten thousand long ones. */
const COMPARED = 64
const MOST_SUGGESTED = 3

/** Returns the names that a person may have meant, the nearest first; at most three. */
export function nearest(given: string, names: Iterable<string>): string[] {
  const wanted = folded(given)
  if (wanted === '') return []
  const close = Math.floor(wanted.length / 3)
  const found: { name: string; distance: number }[] = []
  for (const name of new Set(names)) {
    const candidate = folded(name)
    if (candidate === '') continue
    const isPart = wanted.length > 2 && candidate.includes(wanted)
    if (!isPart && Math.abs(candidate.length - wanted.length) > close) continue
    const distance = isPart ? 0.5 : editsBetween(wanted, candidate)
    if (distance <= close) found.push({ name, distance })
  }
  return found
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST_SUGGESTED)
    .map(({ name }) => name)
}

/** Returns the end of an error about an unknown name: what is similar, or all there is. */
export function similarNames(near: readonly string[], all: readonly string[] = []): string {
  if (near.length > 0) return ` (did you mean ${near.map(printable).join(' or ')}?)`
  return all.length > 0 ? `; there is only ${all.map(printable).join(', ')}` : ''
}

const folded = (text: string) => text.slice(0, COMPARED).toLowerCase().trim()

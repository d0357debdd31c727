import { useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { EVERYTHING, type MissingChoices } from './choices.ts'

/** By site and package. A second check of a package and its import go on with the choices of the first. */
const kept = new Map<string, MissingChoices>()

/** The choices for a package, kept while the console is open. */
export function useChoices(file: string): [MissingChoices, (choices: MissingChoices) => void] {
  const { siteId } = useSite()
  const key = `${siteId}/${file}`
  const [, redraw] = useState(0)
  return [
    kept.get(key) ?? EVERYTHING,
    (choices) => {
      kept.set(key, choices)
      redraw((times) => times + 1)
    },
  ]
}

import type { RefObject } from 'react'
import { useShortcuts } from '../../parts/use-shortcuts.ts'
import { shortcuts as texts } from '../../texts/palette.ts'

/** Marks the link of a request in the list, with its number. */
export const LINK_ATTRIBUTE = 'data-request'

/** J and K move the focus between the links of the list, X chooses the request in focus. Enter opens a link anyway. */
export function useListKeys(list: RefObject<HTMLElement | null>, onToggle: ((number: number) => void) | undefined) {
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>(`[${LINK_ATTRIBUTE}]`) ?? [])]
  const inFocus = (all: readonly HTMLElement[]) => all.findIndex((link) => rowOf(link).contains(document.activeElement))
  function move(step: 1 | -1): void {
    const all = links()
    const next = all[nextIndex(inFocus(all), step, all.length)]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  function choose(): void {
    const all = links()
    const chosen = all[inFocus(all)]
    if (chosen) onToggle?.(Number(chosen.getAttribute(LINK_ATTRIBUTE)))
  }
  useShortcuts([
    { keys: ['j'], does: texts.what.next, run: () => move(1) },
    { keys: ['k'], does: texts.what.previous, run: () => move(-1) },
    ...(onToggle ? [{ keys: ['x'] as const, does: texts.what.choose, run: choose }] : []),
  ])
}

/** Stays inside the list; the first step goes to its beginning. */
function nextIndex(current: number, step: 1 | -1, length: number): number {
  return current < 0 ? 0 : Math.min(Math.max(current + step, 0), length - 1)
}

/** The row or card of a link: a focused checkbox in it counts, too. */
const rowOf = (link: HTMLElement): HTMLElement => link.closest<HTMLElement>('tr, li') ?? link

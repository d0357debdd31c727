import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Marks the link of a request in the list, with its number. */
export const LINK_ATTRIBUTE = 'data-request'

/** J and K move the focus between the links of the list, X chooses the request in focus. Enter opens a link anyway. */
export function useListKeys(list: RefObject<HTMLElement | null>, onToggle: ((number: number) => void) | undefined) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || isTyping(event.target)) return
    const links = [...(list.current?.querySelectorAll<HTMLElement>(`[${LINK_ATTRIBUTE}]`) ?? [])]
    const current = links.findIndex((link) => rowOf(link).contains(document.activeElement))
    const key = event.key.toLowerCase()
    if (key === 'j' || key === 'k') {
      const next = nextIndex(current, key === 'j' ? 1 : -1, links.length)
      links[next]?.focus()
      links[next]?.scrollIntoView({ block: 'nearest' })
    } else if (key === 'x' && current >= 0) {
      onToggle?.(Number(links[current]?.getAttribute(LINK_ATTRIBUTE)))
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Stays inside the list; the first step goes to its beginning. */
function nextIndex(current: number, step: 1 | -1, length: number): number {
  return current < 0 ? 0 : Math.min(Math.max(current + step, 0), length - 1)
}

/** The row or card of a link: a focused checkbox in it counts, too. */
const rowOf = (link: HTMLElement): HTMLElement => link.closest<HTMLElement>('tr, li') ?? link

/** Letters belong to fields, and to dialogs and menus while they are open. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isField = target.matches('textarea, select, [contenteditable="true"], input:not([type="checkbox"])')
  return isField || target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
}

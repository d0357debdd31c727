import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { isPressed, type Pressed, type ShortcutKeys } from './shortcuts.ts'

/** A shortcut of the page: its keys, what people read about it, and what it does. */
export interface Shortcut extends ShortcutKeys {
  does: string
  run: () => void
}

/** The key that shortcuts are pressed with, as the keyboard names it. */
export const controlKey = (): string => (/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl')

/** Whether shortcuts without Ctrl or Cmd work in this browser. */
export const useLetterShortcuts = () =>
  useLocalStorage({ key: 'plantroom-letter-shortcuts', defaultValue: true, getInitialValueInEffect: false })

/** A letter alone: a program that a person speaks to may press it by mistake. */
export const isLetter = ({ control, keys }: ShortcutKeys): boolean => !control && keys[0].length === 1

/** The shortcuts of every mounted part. */
const offered = new Map<object, readonly Shortcut[]>()

/** Lists the shortcuts that work now. */
export const shortcutsNow = (): readonly Shortcut[] => [...offered.values()].flat()

/** Runs shortcuts while the component is mounted, and offers them to the list of shortcuts. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const [hasLetters] = useLetterShortcuts()
  const [owner] = useState<object>(() => ({}))
  const find = useEffectEvent((event: KeyboardEvent, before: Pressed | undefined) => {
    const place = event.target instanceof Element ? event.target : null
    return shortcuts.find((each) => (hasLetters || !isLetter(each)) && isPressed(each, event, place, before))
  })
  useEffect(() => void offered.set(owner, shortcuts))
  useEffect(() => {
    let before: Pressed | undefined
    const listen = (event: KeyboardEvent) => {
      const found = find(event, before)
      before = found ? undefined : { key: event.key, at: event.timeStamp }
      if (!found) return
      // Otherwise the browser moves to its own search, or types the key into what opens.
      event.preventDefault()
      found.run()
    }
    window.addEventListener('keydown', listen)
    return () => {
      offered.delete(owner)
      window.removeEventListener('keydown', listen)
    }
  }, [owner])
}

import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { isLetterPress, isPalettePress, type LetterShortcut, shortcutOf } from './shortcuts.ts'

/** The key that shortcuts are pressed with, as the keyboard names it. */
export const controlKey = (): string => (/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl')

/** Whether shortcuts without Ctrl or Cmd work in this browser. */
export const useLetterShortcuts = () =>
  useLocalStorage({ key: 'plantroom-letter-shortcuts', defaultValue: true, getInitialValueInEffect: false })

/** Calls back when a shortcut is pressed outside of fields and dialogs. */
export function useShortcuts({
  onPalette,
  onLetter,
}: {
  onPalette: () => void
  onLetter: (shortcut: LetterShortcut) => void
}): void {
  const [hasLetters] = useLetterShortcuts()
  const open = useEffectEvent(onPalette)
  const press = useEffectEvent((shortcut: LetterShortcut) => hasLetters && onLetter(shortcut))
  useEffect(() => {
    let before: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      const place = event.target instanceof Element ? event.target : null
      if (isPalettePress(event, place)) {
        // Otherwise the browser moves to its own search.
        event.preventDefault()
        open()
        return
      }
      if (!isLetterPress(event, place)) return
      const pressed = { key: event.key, at: event.timeStamp }
      const shortcut = shortcutOf(before, pressed)
      before = shortcut ? undefined : pressed
      if (shortcut) press(shortcut)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

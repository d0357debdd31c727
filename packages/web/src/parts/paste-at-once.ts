import type { ClipboardEvent } from 'react'

/** Browsers take a minute or more to insert a text of thousands of lines as if it were typed. */
const LARGE = 20_000

/** Returns a handler that sets a large pasted text at once. Smaller ones are left to the browser, which can undo them. */
export function pasteAtOnce(onChange: (text: string) => void) {
  return (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = event.clipboardData.getData('text/plain')
    if (pasted.length < LARGE) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    onChange(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd))
  }
}

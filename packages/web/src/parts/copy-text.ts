/** Copies a text. Without a secure connection browsers have no clipboard, so a selection is copied instead. */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // The browser refused; the selection may still work.
  }
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  // Inside the dialog: outside of it nothing can have the focus.
  near.after(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  near.focus()
  return isCopied
}

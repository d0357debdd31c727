const SHOWN_MS = 2000

/** Shows the buttons that copy blocks of code. Of a transcript, only the commands are copied. */
export function copyButtons(root: ParentNode): void {
  // Browsers allow copying only on pages that came over TLS or from this machine.
  if (!navigator.clipboard) return
  for (const button of root.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const label = button.textContent
    const code = button.parentElement?.querySelector('code')
    if (!code) continue
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(textToCopy(code))
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = label
      }, SHOWN_MS)
    })
  }
}

function textToCopy(code: Element): string {
  const commands = [...code.querySelectorAll('.command')].map(({ textContent }) => textContent)
  return commands.length > 0 ? `${commands.join('\n')}\n` : code.textContent
}

/** Hands a text to whoever looks at the page, as a file. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has its own hold on it by now.
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

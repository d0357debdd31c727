/** Lets the browser save a text as a file. */
export function saveAs(name: string, text: string): void {
  const type = name.endsWith('.json') ? 'application/json' : 'text/plain;charset=utf-8'
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

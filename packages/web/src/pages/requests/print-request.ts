/** How long to wait for pictures before printing without the missing ones. */
const MAX_WAIT_MS = 15_000

/** Prints the page with all its pictures, also those that were not scrolled to yet. */
export async function printRequest(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')]
  for (const picture of pictures) picture.loading = 'eager'
  const loaded = Promise.all(pictures.map((picture) => picture.decode().catch(() => {})))
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
  window.print()
}

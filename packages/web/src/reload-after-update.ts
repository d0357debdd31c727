const KEY = 'plantroom-reloaded-at'
const AGAIN_MS = 60_000

/** Reloads a page that was open during an update: its old chunks no longer exist. */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    // A chunk that is missing for another reason must not cause a reload loop.
    if (Date.now() - last < AGAIN_MS) return
    sessionStorage.setItem(KEY, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}

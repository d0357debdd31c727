const KEY = 'plantroom-reloaded-at'
const AGAIN_MS = 60_000

/** A page that was open during an update asks for parts that are gone: loaded anew, it names those that are there. */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    // A part that is missing for another reason must not load the page over and over.
    if (Date.now() - last < AGAIN_MS) return
    sessionStorage.setItem(KEY, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}

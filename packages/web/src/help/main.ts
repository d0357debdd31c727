import { copyButtons } from './copy.ts'
import { searchBox } from './search-box.ts'

// Shown only now: without scripts, neither would work.
copyButtons(document)
searchBox(document)
showCurrentPage(document)

/** Scrolls the list of pages, not the page, to the current one. */
function showCurrentPage(root: Document): void {
  const list = root.querySelector<HTMLElement>('#pages')
  const current = list?.querySelector<HTMLElement>('[aria-current]')
  if (!list || !current) return
  const scroll = () => {
    list.scrollTop = current.offsetTop - list.clientHeight / 2
  }
  scroll()
  // On a phone the list opens later.
  list.addEventListener('toggle', scroll)
}

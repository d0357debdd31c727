import { useEffect, useRef, useState } from 'react'

/** Takes files that are dropped anywhere on the page; tells whether some are held over it. */
export function useFileDrop(enabled: boolean, onDrop: (files: File[], isFolder: boolean) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const current = useRef(onDrop)
  current.current = onDrop

  useEffect(() => {
    if (!enabled) return
    // Every element that is passed enters and leaves: held over the page is to have entered more than left.
    let entered = 0
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const on = new AbortController()
    const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(
        name,
        (event) => {
          if (!holdsFiles(event)) return
          // Without, the browser would leave this page and show the file.
          event.preventDefault()
          listener(event)
        },
        { signal: on.signal },
      )
    listen('dragenter', () => {
      entered += 1
      setIsOver(true)
    })
    listen('dragover', () => {})
    listen('dragleave', () => {
      entered -= 1
      if (entered <= 0) setIsOver(false)
    })
    listen('drop', ({ dataTransfer }) => {
      entered = 0
      setIsOver(false)
      const isFolder = [...(dataTransfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory)
      current.current([...(dataTransfer?.files ?? [])], isFolder)
    })
    return () => {
      on.abort()
      setIsOver(false)
    }
  }, [enabled])

  return isOver
}

import { useEffect, useEffectEvent, useState } from 'react'

/** Takes files dropped anywhere on the page. Returns true while files are dragged over it. */
export function useFileDrop(onDrop: (files: File[], isFolder: boolean) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent(onDrop)

  useEffect(() => {
    // Every element under the pointer fires enter and leave: files are over the page while enters outnumber leaves.
    let entered = 0
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const on = new AbortController()
    const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(
        name,
        (event) => {
          if (!holdsFiles(event)) return
          // Otherwise the browser would leave this page to show the file.
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
      drop([...(dataTransfer?.files ?? [])], isFolder)
    })
    return () => {
      on.abort()
      setIsOver(false)
    }
  }, [])

  return isOver
}

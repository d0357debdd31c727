import { Button, FileButton, Text } from '@mantine/core'
import { useRef } from 'react'
import { packages } from '../../texts/packages.ts'
import classes from './packages.module.css'
import { useFileDrop } from './use-file-drop.ts'

const { importing } = packages

/** A large place to drop a package on; the rest of the page takes it too. */
export function DropArea({ onFiles }: { onFiles: (files: File[], isFolder: boolean) => void }) {
  const isOver = useFileDrop(true, onFiles)
  const forget = useRef<() => void>(null)
  function choose(file: File | null): void {
    if (!file) return
    // The same file, mended, would be no change to the browser.
    forget.current?.()
    onFiles([file], false)
  }
  return (
    <div className={classes.drop} data-over={isOver}>
      <Text fw={600} size="lg">
        {isOver ? importing.dropNow : importing.drop}
      </Text>
      <Text size="sm" maw={460}>
        {importing.dropHint}
      </Text>
      <FileButton resetRef={forget} onChange={choose} inputProps={{ 'aria-label': importing.input }}>
        {(props) => <Button {...props}>{importing.choose}</Button>}
      </FileButton>
    </div>
  )
}

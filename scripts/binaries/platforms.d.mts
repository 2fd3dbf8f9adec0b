interface PlatformBinary {
  readonly package: string
  readonly version: string
  readonly file: string
  readonly macho?: boolean
  /** The processor of a binary of Linux, as the tools for it are named. */
  readonly elf?: string
}
export declare const platforms: Readonly<Record<string, PlatformBinary>>
export declare const ownPlatform: string
export declare function fileOf(platform: string): string

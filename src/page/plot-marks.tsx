/** A period in which the data are not as they were measured; its number stands in the plot. */
export interface Mark {
  readonly number: number
  readonly does: string
  /** Milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

interface Props {
  readonly marks: readonly Mark[]
  /** Where the plot begins. */
  readonly since: number
  readonly height: number
  readonly x: (at: number) => number
}

export const Marks = ({ marks, since, height, x }: Props) => (
  <>
    {marks.map(({ number, does, from, until }) => {
      const left = x(Math.max(since, from))
      return (
        <g key={number} class={`marked ${does}`} data-mark={number}>
          <rect x={left} width={Math.max(2, x(until) - left)} y="2" height={height} />
          <text class="tick" x={left + 4} y="13">
            {number}
          </text>
        </g>
      )
    })}
  </>
)

import { expect, test } from "vitest";
import { renderChart } from "./render.ts";

const data = { Values: { a: "x", list: [1, 2], none: null, map: { k: "v" }, off: false } };
const render = (text: string): string => renderChart(new Map([["t", text]]), data).get("t") ?? "";

test.each([
  ["a {{ .Values.a }} b", "a x b"],
  ["a\n{{- .Values.a -}}\n b", "axb"],
  ["{{/* nothing */}}a", "a"],
  ["{{ if .Values.off }}1{{ else if .Values.a }}2{{ else }}3{{ end }}", "2"],
  ["{{ with .Values.none }}1{{ else }}2{{ end }}", "2"],
  ["{{ with .Values.map }}{{ .k }}{{ $.Values.a }}{{ end }}", "vx"],
  ["{{ range .Values.list }}<{{ . }}>{{ end }}", "<1><2>"],
  ['{{ range $x := list "p" "q" }}{{ $x }}{{ $.Values.a }}{{ end }}', "pxqx"],
  ['{{ define "n" }}[{{ . }}]{{ end }}{{ include "n" .Values.a | quote }}', '"[x]"'],
  ["m:{{ toYaml .Values.map | nindent 2 }}", "m:\n  k: v"],
  ['{{ $y := printf "%s-%s" .Values.a "b" }}{{ $y }}', "x-b"],
  ['{{ (.Values.none | default "d") }}{{ not (eq .Values.a "x") }}', "dfalse"],
  ['{{ printf "-%s." .Values.a | replace "." "-" | trimAll "-" }}', "x"],
  ['{{ regexMatch "^x$" .Values.a }}{{ gt (int 2) (int 1) }}{{ gt 1 1 }}', "truetruefalse"],
])("%s", (text, expected) => {
  expect(render(text)).toBe(expected);
});

test.each([
  ["{{ .Values.b }}", ".Values.b is not there"],
  ["{{ frobnicate .Values.a }}", "no function is called frobnicate"],
  ['{{ fail "it is so" }}', "it is so"],
  ["{{ $y }}", "no variable is called $y"],
  ['{{ include "m" . }}', "no template is called m"],
  ["{{ if .Values.a }}", "the template ends without else or end"],
  ["a\n{{ end }}", "line 2: end closes nothing"],
  ["{{ .Values.a", "line 1: an action is not closed"],
  ["{{ (quote .Values.a }}", ") is missing"],
  ["{{ .Values.a quote }}", "what is called in"],
  ['{{ define "n" }}{{ include "n" . }}{{ end }}{{ include "n" . }}', "n includes itself"],
])("%s is an error", (text, message) => {
  expect(() => render(text)).toThrow(message);
});

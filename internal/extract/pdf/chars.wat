;; Fetches all characters of a text page in one call from outside: each call into
;; the module from Go costs some microseconds, and a page has thousands of
;; characters with several things to ask of each. Assembled by go generate.
(module
  (import "pdfium" "memory" (memory 0))
  (import "pdfium" "FPDFText_GetUnicode" (func $unicode (param i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetTextObject" (func $object (param i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetFontSize" (func $size (param i32 i32) (result f64)))
  (import "pdfium" "FPDFText_GetCharBox" (func $box (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetMatrix" (func $matrix (param i32 i32 i32) (result i32)))

  ;; Writes a record of 80 bytes for each character to $out:
  ;;  0 left, 8 right, 16 bottom, 24 top (f64)   32 font size (f64)
  ;; 40 matrix (6 f32)   64 character (i32)   68 text object (i32)
  (func (export "chars") (param $text i32) (param $count i32) (param $out i32)
    (local $i i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $count)))
        (drop (call $box (local.get $text) (local.get $i)
          (local.get $out)
          (i32.add (local.get $out) (i32.const 8))
          (i32.add (local.get $out) (i32.const 16))
          (i32.add (local.get $out) (i32.const 24))))
        (f64.store offset=32 (local.get $out) (call $size (local.get $text) (local.get $i)))
        (drop (call $matrix (local.get $text) (local.get $i) (i32.add (local.get $out) (i32.const 40))))
        (i32.store offset=64 (local.get $out) (call $unicode (local.get $text) (local.get $i)))
        (i32.store offset=68 (local.get $out) (call $object (local.get $text) (local.get $i)))
        (local.set $out (i32.add (local.get $out) (i32.const 80)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))))

# A formula of Homebrew.
class Petri < Formula
  desc "Offline sandbox of the Lab Testing and Health Data Service"
  homepage "{{homepage}}"
  version "{{version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{downloads}}/petri-macos-arm64.gz"
      sha256 "{{sha256 petri-macos-arm64.gz}}"
    end
    on_intel do
      url "{{downloads}}/petri-macos-x64.gz"
      sha256 "{{sha256 petri-macos-x64.gz}}"
    end
  end

  on_linux do
    on_arm do
      url "{{downloads}}/petri-linux-arm64.gz"
      sha256 "{{sha256 petri-linux-arm64.gz}}"
    end
    on_intel do
      url "{{downloads}}/petri-linux-x64.gz"
      sha256 "{{sha256 petri-linux-x64.gz}}"
    end
  end

  def install
    bin.install Dir["petri-*"].first => "petri"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/petri --version")
  end
end

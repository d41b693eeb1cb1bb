// ReleaseFolder: the folder that keeps a release: report.html, release.json and answers.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/doomed.h"
#include "cli/terminal/output.h"

namespace lastbit::cli {

// ReleaseFiles: the contents of these files.
struct ReleaseFiles {
  std::string html;
  std::string json;
  std::string csv;
};

// Makes the folder if there is none, and opens the files under other names, so that whatever
// prevents writing shows before anything is spent. Without write() nothing is left behind.
//
// Fails     as OutputFile. A folder that already holds a release is a Failure too, since its
//           answers were paid for; so is one that another release is writing to.
class ReleaseFolder {
 public:
  explicit ReleaseFolder(const std::filesystem::path& folder);
  ReleaseFolder(const ReleaseFolder&) = delete;
  ReleaseFolder& operator=(const ReleaseFolder&) = delete;
  ~ReleaseFolder();

  // write: puts all three in place, each whole or not at all. If one fails, the others are still
  // written; its Failure is thrown at the end.
  void write(const ReleaseFiles& files);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path report() const { return path_ / kReport; }
  std::filesystem::path answers() const { return path_ / kAnswers; }

  static constexpr const char* kReport = "report.html";
  static constexpr const char* kJson = "release.json";
  static constexpr const char* kAnswers = "answers.csv";

 private:
  std::filesystem::path path_;
  std::optional<DoomedPath> made_;  // a folder we made is removed if it stays empty
  int lock_ = -1;
  std::optional<OutputFile> csv_;
  std::optional<OutputFile> json_;
  std::optional<OutputFile> html_;
};

}  // namespace lastbit::cli
